import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type Answer } from '../support/api-client.js';
import { codeAt, enrol, type Enrolment } from '../support/authenticator.js';
import { Outbox } from '../support/outbox.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let outbox: Outbox;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-second-factor-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  outbox = new Outbox(directory);
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

interface Person {
  readonly client: ApiClient;
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

async function person(name: string): Promise<Person> {
  const { client, id } = await server.createUser(owner, name);
  return { client, id, email: client.credentials!.email, password: `secret-of-${name}` };
}

/** Status and code of an answer. */
function told({ status, body }: Answer): [number, string] {
  return [status, body.code ?? body.result];
}

const refusal = { required: [401, 'SECOND_FACTOR_REQUIRED'], wrong: [401, 'SECOND_FACTOR_WRONG'] };

function logIn({ email, password }: Person, second_factor?: string): Promise<Answer> {
  const parameters = { username: email, password, ...(second_factor === undefined ? {} : { second_factor }) };
  return new ApiClient(server.site, null).post('fetch_api_key', parameters);
}

type Enrolled = Person & Enrolment;

async function enrolled(name: string): Promise<Enrolled> {
  const someone = await person(name);
  return { ...someone, ...(await enrol(someone.client, someone.password)) };
}

describe('setting up a second factor', () => {
  it('takes the password, shows a secret once, and asks for it only when a code has confirmed it', async () => {
    const bo = await person('Bo');
    const begin = (password: string): Promise<Answer> =>
      bo.client.post('users/me/second_factor', { password });
    expect((await begin('not-the-password')).status).toBe(400);
    const { secret, uri } = (await begin(bo.password)).body;
    expect(new URL(uri as string).searchParams.get('secret')).toBe(secret);
    expect(await bo.client.must('get', 'users/me/second_factor')).toMatchObject({ is_enabled: false });
    expect(told(await logIn(bo))).toEqual([200, 'success']);
    const confirm = (code: string): Promise<Answer> =>
      bo.client.post('users/me/second_factor/confirm', { code });
    expect(told(await confirm('abcdef'))).toEqual(refusal.wrong);
    const { recovery_codes } = (await confirm(codeAt(secret as string, Date.now()))).body;
    expect(recovery_codes).toHaveLength(10);
    expect(await bo.client.must('get', 'users/me/second_factor')).toMatchObject({
      is_enabled: true,
      recovery_codes_left: 10,
    });
    expect((await begin(bo.password)).status).toBe(400);
    expect((await confirm(codeAt(secret as string, Date.now() + 30_000))).status).toBe(400);
    expect((await outbox.emailTo(bo.email)).subject).toContain('You have a second factor');
  });

  it('is not for bots', async () => {
    const { client } = await server.createBot(owner, 'Loom');
    expect((await client.post('users/me/second_factor', { password: 'any' })).status).toBe(400);
    expect((await client.post('users/me/second_factor/confirm', { code: '123456' })).status).toBe(400);
    expect((await client.delete('users/me/second_factor', { code: '123456' })).status).toBe(400);
  });
});

describe('logging in to an account with a second factor', () => {
  it('asks for a code, once the password is right, and takes each once', async () => {
    const cy = await enrolled('Cy');
    expect(told(await logIn({ ...cy, password: 'wrong' }, cy.next))).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(told(await logIn(cy))).toEqual(refusal.required);
    expect(told(await logIn(cy, ''))).toEqual(refusal.required);
    expect(told(await logIn(cy, cy.used))).toEqual(refusal.wrong);
    expect(told(await logIn(cy, `${cy.next.slice(0, 3)} ${cy.next.slice(3)}`))).toEqual([200, 'success']);
    expect(told(await logIn(cy, cy.next))).toEqual(refusal.wrong);
    expect(told(await logIn(cy, 'x'.repeat(1000)))).toEqual(refusal.wrong);
  });

  it('accepts each recovery code once, for its own account, and notifies its owner', async () => {
    const [di, ed] = [await enrolled('Di'), await enrolled('Ed')];
    const [code = ''] = di.recovery;
    expect(told(await logIn(ed, code))).toEqual(refusal.wrong);
    expect(told(await logIn(di, code.toUpperCase()))).toEqual([200, 'success']);
    expect(told(await logIn(di, code))).toEqual(refusal.wrong);
    expect(await di.client.must('get', 'users/me/second_factor')).toMatchObject({ recovery_codes_left: 9 });
    expect((await outbox.emailTo(di.email, 2)).text).toContain('9 are left');
  });

  it('asks on the front page, too', async () => {
    const flo = await enrolled('Flo');
    const post = (second_factor: string): Promise<Response> => {
      const body = new URLSearchParams({ username: flo.email, password: flo.password, second_factor });
      return fetch(`${server.site}/credentials`, { method: 'POST', body });
    };
    expect(await (await post('')).text()).toContain('This account has a second factor');
    expect(await (await post(flo.next)).text()).toMatch(/^key=\w{32}$/m);
  });

  it('counts wrong codes as it counts wrong passwords, and those of the person who is logged in apart', async () => {
    const own = await ServerStores.open();
    const limited = await TestServer.start({ stores: own, environment: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const boss = await limited.owner();
    const { client } = await limited.createUser(boss, 'Gus');
    const password = 'secret-of-Gus';
    const { secret } = await client.must('post', 'users/me/second_factor', { password });
    const code = codeAt(secret as string, Date.now());
    await client.must('post', 'users/me/second_factor/confirm', { code });
    const username = client.credentials!.email;
    const attempt = (second_factor: string): Promise<Response> =>
      fetch(`${limited.site}/api/v1/fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username, password, second_factor }),
      });
    const statuses: number[] = [];
    for (let one = 0; one < 5; one += 1) statuses.push((await attempt('000000x')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect((await attempt(codeAt(secret as string, Date.now() + 30_000))).status).toBe(429);
    const removal = new URLSearchParams({ code: '000000x' });
    const { email, key } = client.credentials!;
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const site = `${limited.site}/api/v1/users/me/second_factor`;
    const removals: number[] = [];
    for (let one = 0; one < 6; one += 1) {
      removals.push(
        (await fetch(site, { method: 'DELETE', body: removal, headers: { authorization } })).status,
      );
    }
    expect(removals).toEqual([401, 401, 401, 401, 401, 429]);
    await limited.stop();
    await own.close();
  });
});

describe('taking a second factor away', () => {
  it('takes a code of it', async () => {
    const hal = await enrolled('Hal');
    const remove = (code: string): Promise<Answer> => hal.client.delete('users/me/second_factor', { code });
    expect(told(await remove('000000x'))).toEqual(refusal.wrong);
    expect(told(await logIn(hal))).toEqual(refusal.required);
    expect(told(await remove(hal.next))).toEqual([200, 'success']);
    expect(told(await logIn(hal))).toEqual([200, 'success']);
    expect((await remove(hal.recovery[0]!)).status).toBe(400);
    expect((await outbox.emailTo(hal.email, 2)).subject).toContain('was taken away');
  });

  it('can be done by an owner for a person who lost it, and that person gets an e-mail', async () => {
    const ivy = await enrolled('Ivy');
    const { client: member } = await person('Jo');
    expect(told(await member.delete(`users/${ivy.id}/second_factor`))).toEqual([
      400,
      'UNAUTHORIZED_PRINCIPAL',
    ]);
    expect(told(await owner.delete(`users/${ivy.id}/second_factor`))).toEqual([200, 'success']);
    expect(told(await logIn(ivy))).toEqual([200, 'success']);
    expect((await owner.delete(`users/${ivy.id}/second_factor`)).status).toBe(400);
    expect((await outbox.emailTo(ivy.email, 2)).text).toContain('an owner of the organization');
  });
});

describe('the stored data of second factors', () => {
  it('has events in the log, and no secrets in plain text', async () => {
    const kim = await enrolled('Kim');
    await logIn(kim, kim.recovery[0]);
    await kim.client.must('delete', 'users/me/second_factor', { code: kim.next });
    const told = async (type: string): Promise<string> =>
      JSON.stringify((await owner.must('get', 'audit/log', { type }))['events']);
    expect(await told('SecondFactorEnabled')).toContain(`Kim (${kim.id}) set up a second factor.`);
    expect(await told('RecoveryCodeUsed')).toContain(`Kim (${kim.id}) used a recovery code`);
    expect(await told('SecondFactorDisabled')).toContain(`Kim (${kim.id}) disabled their second factor.`);
    expect(await told('SecondFactorRevoked')).toContain('disabled the second factor of Ivy');
    const secrets = [kim.secret, ...kim.recovery, ...kim.recovery.map((code) => code.replace('-', ''))];
    const texts = [...server.log];
    for (const name of await readdir(directory)) {
      if (/\.sqlite(-wal)?$/.test(name)) texts.push(await readFile(join(directory, name), 'latin1'));
    }
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
