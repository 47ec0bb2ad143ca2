import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { openStoppedServer } from '../support/stopped-server.js';
import { TestServer } from '../support/server.js';

// The server starts twice.
let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let adaId: number;
let boId: number;
let caseId: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-security-retention-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  // They do not log in, so that the oldest of their log-ins are the first in the log.
  [adaId, boId] = [await createUser('Ada'), await createUser('Bo')];
  const { id } = await owner.must('post', 'audit/cases', { name: 'Bo', user_ids: `[${boId}]` });
  caseId = id as number;
  await owner.must('post', `audit/cases/${caseId}/hold`);
  await server.stop();
  await logInEarlier([
    { userId: adaId, days: 31 },
    { userId: boId, days: 31 },
    { userId: adaId, days: 29 },
  ]);
  server = await TestServer.start({ stores, directory });
  owner = owner.at(server.site);
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

async function createUser(name: string): Promise<number> {
  const account = { email: `${name}@example.com`, password: `secret-of-${name}`, full_name: name };
  return (await owner.must('post', 'users', account))['user_id'] as number;
}

interface Earlier {
  readonly userId: number;
  /** How long ago. */
  readonly days: number;
}

/** Writes log-ins into the log of the server while it does not run, as it would have long ago. */
async function logInEarlier(logIns: readonly Earlier[]): Promise<void> {
  const opened = await openStoppedServer(directory, stores.environment);
  for (const { userId, days } of logIns) {
    const stream = `security-${userId}`;
    const present = await opened.log.readStream(stream, { from: 0, limit: 10 });
    const data = { userId, method: 'password', keyId: '9f86d081884c7d65', address: `${userId}.0.0.${days}` };
    await opened.log.append(
      { stream, expected: present.at(-1)?.revision ?? 'no-stream' },
      [{ type: 'LoggedIn', data: { ...data, client: 'Phone' } }],
      {
        actorId: userId,
        commandId: randomCommandId(),
        causationId: null,
        client: 'Internal',
        at: Date.now() - days * 86_400_000,
      },
    );
  }
  await opened.close();
}

/** Where each log-in came from, as auditors read it. */
async function addresses(): Promise<readonly string[]> {
  const { events } = await owner.must('get', 'audit/log', { type: 'LoggedIn' });
  return (events as Reply[]).map(({ data }) => data.address as string);
}

it('where people logged in from is erased once it is as old as the organization keeps it', async () => {
  expect(await addresses()).toEqual([`${adaId}.0.0.31`, `${boId}.0.0.31`, `${adaId}.0.0.29`]);
  await owner.must('patch', 'realm', { security_retention_days: 30 });
  const left = await eventually(addresses, ([first]) => first === '');
  // A legal hold keeps what it covers.
  expect(left).toEqual(['', `${boId}.0.0.31`, `${adaId}.0.0.29`]);
  const tool = new CommandLine({ DATA_DIR: directory, ...stores.environment });
  const [erased] = await tool.json('audit', 'log', '--type', 'SecurityRecordsErased');
  expect(erased).toMatchObject({ data: { last: { stream: `security-${boId}`, revision: 0 }, count: 1 } });
  const [deferred] = await tool.json('audit', 'log', '--type', 'BelongingErasureDeferred');
  expect(deferred).toMatchObject({ data: { stream: `security-${boId}`, revision: 0, caseIds: [caseId] } });
  await owner.must('delete', `audit/cases/${caseId}/hold`);
  expect(await eventually(addresses, ([, second]) => second === '')).toEqual(['', '', `${adaId}.0.0.29`]);
  expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
});

it('how long is for owners to say', async () => {
  const { client } = await server.createUser(owner, 'Administrator');
  const { user_id: id } = await client.must('get', 'users/me');
  await owner.must('patch', `users/${String(id)}`, { role: 200 });
  expect((await client.patch('realm', { security_retention_days: 1 })).body).toMatchObject({
    msg: 'Must be an organization owner',
  });
  expect((await owner.patch('realm', { security_retention_days: 0 })).status).toBe(400);
  await owner.must('patch', 'realm', { security_retention_days: 'unlimited' });
});
