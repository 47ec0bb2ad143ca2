import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmbeddedCredentialStore } from '../../src/stores/credential-store/embedded/embedded-credential-store.js';
import { apiKeyDigest, apiKeyId } from '../../src/contexts/users/api-keys.js';
import { budgets } from '../../src/kernel/budgets.js';
import { ApiClient, type Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

// Every read model is rebuilt.
interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: Person;
let bo: Person;
let auditor: Person;

// Requests of these tests come through a proxy of this machine.
const environment = { TRUSTED_PROXIES: '127.0.0.1' };

beforeAll(async () => {
  // Keys of devices are looked for in the data directory.
  server = await TestServer.start({ stores: ServerStores.embedded(), environment });
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  bo = await server.createUser(owner, 'Bo Nib');
  auditor = await server.createUser(owner, 'Cleo Proof');
  const group = { new: { direct_members: [auditor.id], direct_subgroups: [] } };
  await owner.must('patch', 'realm', { can_audit_group: JSON.stringify(group) });
});

afterAll(() => server.stop());

/** Tries to log in from an address. */
function logIn(username: string, password: string, address: string): Promise<Response> {
  return fetch(`${server.site}/api/v1/fetch_api_key`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'user-agent': 'Phone/1.0' },
    body: new URLSearchParams({ username, password }),
  });
}

const adaEmail = 'ada.quill@example.com';

async function lifeOf(userId: number, client = auditor.client): Promise<readonly Reply[]> {
  return (await client.must('get', `audit/people/${userId}`, { limit: 1000 }))['events'] as Reply[];
}

const ofTypes = (events: readonly Reply[], ...types: readonly string[]): readonly Reply[] =>
  events.filter(({ type }) => types.includes(type as string));

describe('logging in', () => {
  it('is recorded with where it came from, for auditors alone', async () => {
    const reply = (await (await logIn(adaEmail, 'secret-of-Ada Quill', '192.0.2.7')).json()) as Reply;
    const [recorded] = ofTypes(await lifeOf(ada.id), 'LoggedIn').slice(-1);
    expect(recorded).toMatchObject({
      stream: `security-${ada.id}`,
      data: { userId: ada.id, method: 'password', address: '192.0.2.7', client: 'Phone' },
      metadata: { actorId: ada.id, client: 'Internal' },
    });
    const phone = new ApiClient(server.site, { email: adaEmail, key: reply['api_key'] as string });
    const { api_keys: keys } = await phone.must('get', 'users/me/api_keys');
    const current = (keys as Reply[]).find(({ is_current: isCurrent }) => isCurrent);
    expect(recorded?.['data'].keyId).toBe(current?.['id']);
    expect(recorded?.['sentence']).toBe(
      `Ada Quill (${ada.id}) logged in by password from “192.0.2.7” with “Phone”, and was given API key ${current?.['id']}.`,
    );
    expect(JSON.stringify(await lifeOf(ada.id))).not.toContain(reply['api_key']);
    for (const client of [ada.client, bo.client])
      for (const path of [`audit/people/${ada.id}`, 'audit/log'])
        expect((await client.get(path)).body).toMatchObject({
          result: 'error',
          msg: 'Insufficient permission',
        });
  });

  it('causes no client event', async () => {
    const queue = await bo.client.must('post', 'register', { event_types: '[]' });
    await logIn(adaEmail, 'secret-of-Ada Quill', '192.0.2.7');
    await bo.client.must('patch', 'settings', { twenty_four_hour_time: true });
    expect(JSON.stringify(queue)).not.toContain('192.0.2.7');
    const { events } = await bo.client.must('get', 'events', {
      queue_id: queue['queue_id'],
      last_event_id: -1,
      dont_block: true,
    });
    expect(JSON.stringify(events)).not.toMatch(/192\.0\.2\.7|LoggedIn/);
  });

  it('is found by who did it, whom it is about and what it is', async () => {
    for (const filter of [{ actor: ada.id }, { about: ada.id }, { stream: `security-${ada.id}` }]) {
      const { events } = await auditor.client.must('get', 'audit/log', { type: 'LoggedIn', ...filter });
      expect((events as Reply[]).length).toBeGreaterThanOrEqual(2);
    }
    expect(await tool.must('audit', 'person', adaEmail)).toContain('logged in by password from “192.0.2.7”');
    expect(await tool.must('audit', 'log', '--type', 'LoggedIn', '--about', adaEmail)).toContain('“Phone”');
  });
});

describe('failed log-ins', () => {
  it('are few events, whoever goes on guessing, and the reply is the same for an address of nobody', async () => {
    const known = await logIn(adaEmail, 'wrong', '198.51.100.1');
    const unknown = await logIn('nobody@example.com', 'wrong', '198.51.100.1');
    expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
    for (let each = 1; each < budgets.recordedLogInFailures.max + 20; each += 1)
      await logIn(adaEmail, `guess ${each}`, '198.51.100.1');
    await logIn(adaEmail, 'secret-of-Ada Quill', '192.0.2.7');
    const life = await eventually(
      () => lifeOf(ada.id),
      (events) => ofTypes(events, 'LogInFailuresCounted').length > 0,
    );
    const failed = ofTypes(life, 'LogInFailed');
    expect(failed).toHaveLength(budgets.recordedLogInFailures.max);
    expect(failed[0]).toMatchObject({
      data: { userId: ada.id, reason: 'wrong-password', address: '198.51.100.1', client: 'Phone' },
      metadata: { actorId: null },
    });
    const counted = ofTypes(life, 'LogInFailuresCounted');
    expect(counted.map(({ data }) => data.count)).toEqual([20]);
    const { events } = await auditor.client.must('get', 'audit/log', { type: 'LogInFailed' });
    expect(events).toHaveLength(budgets.recordedLogInFailures.max);
  });
});

describe('API keys', () => {
  it('are recorded when they are issued and when they end, with who asked from where', async () => {
    const key = await ada.client.must('post', 'users/me/api_key/regenerate');
    const fresh = new ApiClient(server.site, { email: adaEmail, key: key['api_key'] as string });
    const other = (await (await logIn(adaEmail, 'secret-of-Ada Quill', '192.0.2.9')).json()) as Reply;
    const phone = new ApiClient(server.site, { email: adaEmail, key: other['api_key'] as string });
    const { api_keys: keys } = await fresh.must('get', 'users/me/api_keys');
    const ids = (keys as Reply[]).map(({ id }) => id as string);
    await phone.must('delete', `users/me/api_keys/${ids[0]}`);
    ada = { id: ada.id, client: phone };
    const { user_id: botId } = await ada.client.must('post', 'bots', {
      full_name: 'Robot',
      short_name: 'robot',
    });
    const told = ofTypes(await lifeOf(ada.id), 'ApiKeyIssued', 'ApiKeyEnded').filter(
      ({ data }) => data.userId === ada.id,
    );
    expect(told.map(({ type, data }) => [type, data.reason, data.keyId])).toEqual([
      ['ApiKeyIssued', 'regenerated', ids[0]],
      ['ApiKeyEnded', 'revoked', ids[0]],
    ]);
    expect(told[0]).toMatchObject({ data: { address: '127.0.0.1', client: 'PalimpsestTests' } });
    const [ofBot] = ofTypes(await lifeOf(botId as number), 'ApiKeyIssued');
    expect(ofBot).toMatchObject({ data: { reason: 'bot-created' }, metadata: { actorId: ada.id } });
  });

  it('of bots are recorded however they are renewed', async () => {
    const loom = { full_name: 'Loom', short_name: 'loom' };
    const { user_id: botId } = await ada.client.must('post', 'bots', loom);
    const issued = async (): Promise<readonly Reply[]> =>
      ofTypes(await lifeOf(botId as number), 'ApiKeyIssued');
    const keyIds = async (client: ApiClient): Promise<readonly string[]> => {
      const { bots } = await client.must('get', 'bots');
      const { api_key: key } = (bots as Reply[]).find(({ full_name: name }) => name === 'Loom')!;
      return [apiKeyId(apiKeyDigest(key as string))];
    };
    const told = [(await issued())[0]?.['data'].keyId as string];
    await owner.must('patch', `bots/${botId as number}`, { bot_owner_id: bo.id });
    told.push(...(await keyIds(bo.client)));
    await owner.must('delete', `bots/${botId as number}`);
    await owner.must('post', `users/${botId as number}/reactivate`);
    told.push(...(await keyIds(bo.client)));
    await owner.must('patch', `users/${botId as number}`, { role: 200 });
    const life = await issued();
    expect(life.map(({ data }) => data.reason as string)).toEqual([
      'bot-created',
      ...Array.from({ length: 3 }, () => 'regenerated'),
    ]);
    expect(life.slice(0, 3).map(({ data }) => data.keyId as string)).toEqual(told);
    expect(life[1]).toMatchObject({
      data: { address: '127.0.0.1', client: 'PalimpsestTests' },
      metadata: { actorId: await owner.must('get', 'users/me').then(({ user_id: id }) => id as number) },
    });
  });
});

describe('erasing a person', () => {
  it('erases where they logged in from, and destroys the keys and tokens of their devices', async () => {
    await ada.client.must('post', 'users/me/android_gcm_reg_id', { token: 'a-token-of-ada' });
    const store = (): ReturnType<typeof openEmbeddedCredentialStore> =>
      openEmbeddedCredentialStore({ file: join(server.directory, 'credentials.sqlite') });
    const [added] = await tool.json('audit', 'log', '--type', 'DeviceTokenAdded');
    const deviceId = added?.['data'].deviceId as number;
    const before = store();
    expect(await before.deviceKey(deviceId)).not.toBeNull();
    await before.close();
    await owner.must('delete', `users/${ada.id}`);
    await tool.must('owner', 'erase-person', String(ada.id), '--yes');
    const after = store();
    expect(await after.deviceKey(deviceId)).toBeNull();
    expect(await after.apiKeys(ada.id)).toEqual([]);
    await after.close();
    const life = JSON.stringify(await lifeOf(ada.id));
    expect(life).toContain('LoggedIn');
    expect(life).not.toMatch(/192\.0\.2|198\.51\.100|Phone/);
    // Whoever still tries is refused as before, and nothing can be written about them.
    expect((await logIn(adaEmail, 'secret-of-Ada Quill', '192.0.2.7')).status).toBe(401);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
  });
});
