import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPromise } from 'yauzl';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

let server: TestServer;
let owner: ApiClient;
let ada: Person;
let bo: Person;
let guest: Person;

beforeAll(async () => {
  server = await TestServer.start({ stores: ServerStores.embedded() });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  bo = await server.createUser(owner, 'Bo Nib');
  const deleters = JSON.stringify({ new: { direct_members: [bo.id], direct_subgroups: [] } });
  await owner.must('patch', 'realm', { can_delete_own_message_group: deleters });
  guest = await server.createUser(owner, 'Gus Guest');
  await owner.must('patch', `users/${guest.id}`, { role: 600 });
  for (const client of [owner, ada.client, bo.client])
    await client.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
});

afterAll(() => server.stop());

async function sendTo(client: ApiClient, to: readonly number[] | string, content: string): Promise<number> {
  const place =
    typeof to === 'string'
      ? { type: 'channel', to, topic: 'notes' }
      : { type: 'direct', to: JSON.stringify(to) };
  return (await client.must('post', 'messages', { ...place, content }))['id'] as number;
}

type Entries = ReadonlyMap<string, string>;

/** Makes somebody's copy, downloads it, and reads it. */
async function copyOf({ client }: Person): Promise<Entries> {
  await client.must('post', 'users/me/data_export');
  const ended = await eventually(
    () => client.must('get', 'users/me/data_export'),
    (reply) => reply['export'].state !== 'running',
  );
  expect(ended['export']).toMatchObject({ state: 'done', progress: 1, error: null });
  const reply = await client.fetch('/api/v1/users/me/data_export/file');
  expect(reply.headers.get('content-type')).toBe('application/zip');
  expect(reply.headers.get('content-disposition')).toContain('attachment; filename="my-data.zip"');
  const file = join(server.directory, 'copy.zip');
  await writeFile(file, Buffer.from(await reply.arrayBuffer()));
  const zip = await openPromise(file, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return entries;
}

const lines = (entries: Entries, name: string): readonly Reply[] =>
  entries
    .get(name)!
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reply);

describe('a copy of one’s own data', () => {
  it('holds the account, what belongs to it, every version of what one wrote, and what one can read directly', async () => {
    const upload = await ada.client.upload('user_uploads', new File(['a loom'], 'loom.txt'));
    const edited = await sendTo(ada.client, 'engines', `First [loom](${upload.body['url'] as string})`);
    await ada.client.must('patch', `messages/${edited}`, { content: 'Second words.' });
    const deleted = await sendTo(ada.client, 'engines', 'Deleted words.');
    await owner.must('delete', `messages/${deleted}`);
    await sendTo(bo.client, 'engines', 'Words of another.');
    await sendTo(bo.client, [ada.id], 'Directly to Ada.');
    const gone = await sendTo(bo.client, [ada.id], 'Deleted by Bo.');
    await bo.client.must('delete', `messages/${gone}`);
    const draft = { type: 'private', to: [bo.id], topic: '', content: 'A draft.', timestamp: 1 };
    await ada.client.must('post', 'drafts', { drafts: JSON.stringify([draft]) });
    await bo.client.must('post', 'drafts', { drafts: JSON.stringify([{ ...draft, content: 'Of Bo.' }]) });
    const copy = await copyOf(ada);
    expect([...copy.keys()].filter((name) => !name.startsWith('files/'))).toEqual([
      'account.json',
      'pages/messages-0001.html',
      'messages.ndjson',
      'messages.csv',
      'files.csv',
      'events.ndjson',
      'README.txt',
    ]);
    const messages = lines(copy, 'messages.ndjson');
    const texts = messages.flatMap(({ versions }) => (versions as Reply[]).map((version) => version['text']));
    expect(texts.filter((one) => /words|loom|Ada\.|Bo\./.test(String(one)))).toEqual([
      expect.stringContaining('First'),
      'Second words.',
      'Deleted words.',
      'Directly to Ada.',
    ]);
    const [ofDeleted] = messages.filter(({ message_id: id }) => id === deleted);
    expect(ofDeleted?.['deleted']).toMatchObject({ by_id: null, by_name: 'somebody else' });
    const account = JSON.parse(copy.get('account.json')!) as Record<string, never>;
    expect(account).toMatchObject({
      account: { user_id: ada.id, delivery_email: 'ada.quill@example.com' },
      drafts: [{ content: 'A draft.' }],
      attachments: [{ name: 'loom.txt' }],
      subscriptions: expect.arrayContaining([expect.objectContaining({ name: 'engines' })]),
      settings: { twenty_four_hour_time: false },
    });
    const files = [...copy].filter(([name]) => name.startsWith('files/'));
    expect(files.map(([, content]) => content)).toEqual(['a loom']);
    const all = [...copy.values()].join('\n');
    for (const other of ['Words of another.', 'Deleted by Bo.', 'Of Bo.']) expect(all).not.toContain(other);
    expect(all).not.toContain(ada.client.credentials?.key);
  });

  it('holds what happened to the account, of nobody else, and is itself recorded', async () => {
    const events = lines(await copyOf(bo), 'events.ndjson');
    // Who asks only for the headers gets nothing of it.
    const head = await bo.client.submitRequest('/api/v1/users/me/data_export/file', { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 1_000]).toEqual([200, true]);
    expect(events.every(({ data }) => data.userId === bo.id)).toBe(true);
    const types = events.map(({ type }) => type as string);
    expect(types).toEqual(expect.arrayContaining(['UserRegistered', 'LoggedIn', 'OwnDataExported']));
    const [logIn] = events.filter(({ type }) => type === 'LoggedIn');
    expect(logIn).toMatchObject({ data: { address: expect.stringMatching(/127\.0\.0\.1$/) } });
    const { events: recorded } = await owner.must('get', 'audit/log', {
      type: 'OwnDataExported',
      about: bo.id,
    });
    expect((recorded as Reply[]).map(({ data }) => data.step)).toEqual(['requested', 'downloaded']);
  });

  it('says nothing of a channel into which a message was moved, and which one cannot see', async () => {
    const moved = await sendTo(bo.client, 'engines', 'To be moved.');
    const secret = await owner.createChannel('sabotage', { invite_only: true });
    await owner.must('patch', `messages/${moved}`, { stream_id: secret, topic: 'suspects' });
    const copy = await copyOf(bo);
    const all = [...copy.values()].join('\n');
    expect(all).toContain('To be moved.');
    expect(all).not.toMatch(/sabotage|suspects/);
  });

  it('does not show what only a legal hold keeps', async () => {
    await owner.must('patch', 'realm', { message_erasure_policy: 'erase' });
    const { id: caseId } = await owner.must('post', 'audit/cases', { name: 'Bo', user_ids: `[${bo.id}]` });
    await owner.must('post', `audit/cases/${String(caseId)}/hold`);
    const upload = await bo.client.upload('user_uploads', new File(['evidence'], 'evidence.txt'));
    const { attachments } = await bo.client.must('get', 'attachments');
    const kept = await sendTo(bo.client, 'engines', `Zeppelin [it](${upload.body['url'] as string})`);
    await owner.must('delete', `messages/${kept}`);
    await bo.client.must('delete', `attachments/${String((attachments as Reply[])[0]?.['id'])}`);
    const all = [...(await copyOf(bo)).values()].join('\n');
    expect(all).not.toMatch(/Zeppelin|evidence/);
    expect(all).not.toMatch(/hold|case/i);
  });

  it('is available to every person for their own account only', async () => {
    for (const { client } of [ada, bo, guest])
      expect(await client.must('get', 'users/me')).toMatchObject({ result: 'success' });
    expect((await guest.client.must('get', 'users/me/data_export'))['export']).toBeNull();
    expect((await guest.client.get('users/me/data_export/file')).status).toBe(404);
    await ada.client.must('get', 'users/me/data_export');
    expect(JSON.parse((await copyOf(guest)).get('account.json')!)).toMatchObject({
      account: { user_id: guest.id },
    });
    const anonymous = await fetch(`${server.site}/api/v1/users/me/data_export/file`);
    expect(anonymous.status).toBe(401);
  });

  it('is gone when one ends it', async () => {
    await copyOf(ada);
    await ada.client.must('delete', 'users/me/data_export');
    expect((await ada.client.must('get', 'users/me/data_export'))['export']).toBeNull();
    expect((await ada.client.get('users/me/data_export/file')).status).toBe(404);
  });
});
