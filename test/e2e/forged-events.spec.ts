import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { eventHash } from '../../src/stores/event-store/event-hash.js';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let position: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-forged-'));
  server = await TestServer.start({ directory: folder, stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: folder });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada');
}, 300_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes into the log's file, beside the server, that Ada is an owner: with the right hash, place and shape. */
function forgeOwner(): number {
  const database = new Database(join(folder, 'events.sqlite'));
  database.exec('PRAGMA busy_timeout = 5000');
  const [head] = database.prepare('SELECT max(position) FROM events').raw().get() as [number];
  const [last] = database.prepare("SELECT max(revision) FROM events WHERE stream = 'users'").raw().get() as [
    number,
  ];
  const event = {
    stream: 'users',
    id: randomUUID(),
    type: 'UserRoleChanged',
    data: { userId: ada.id, role: 100 },
  };
  const metadata = {
    actorId: 10,
    commandId: randomUUID(),
    causationId: null,
    client: 'website',
    at: Date.now(),
    schemaVersion: 1,
  };
  const hash = eventHash({ ...event, metadata });
  const texts = [JSON.stringify(event.data), JSON.stringify({ ...metadata, hash })];
  database
    .prepare(
      'INSERT INTO events (position, stream, revision, id, type, data, metadata) VALUES (?,?,?,?,?,?,?)',
    )
    .run(head + 1, event.stream, last + 1, event.id, event.type, ...texts);
  database.close();
  return head + 1;
}

describe('an event that somebody wrote into the log without the server’s key', () => {
  it('is not acted on, and stops the models that it is for, with its place', async () => {
    position = forgeOwner();
    const status = await eventually(
      () => tool.run('projections', 'status', '--json'),
      // Something is amiss, and says so.
      ({ code, stdout }) => code === 3 && stdout.includes(`"stream":"users","position":${position}`),
      60_000,
    );
    expect(status.stdout).toMatch(/"projection":"directory","state":"halted"/);
    expect(server.log.join('\n')).toContain(
      `users@${await revision()} at position ${position} does not carry this server’s tag`,
    );
    // Only owners may do this: she is none.
    const refused = await ada.client.get('audit/log');
    expect(refused.status).not.toBe(200);
  }, 300_000);

  it('is named by an audit, and so is that the log does not end where its writer left it', async () => {
    const { code, stdout } = await tool.run('audit', 'verify');
    expect(code).toBe(3);
    expect(stdout).toContain(
      `TAG  position ${position}, users@${await revision()}: it does not carry this server’s tag`,
    );
    expect(stdout).toContain('RECORD  the log ends at position');
  });

  it('is shown in its place, and named as what cannot be read', async () => {
    const { code, stdout } = await tool.run('audit', 'log', '--type', 'UserRoleChanged');
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('(unreadable)') });
  });
});

async function revision(): Promise<number> {
  const database = new Database(join(folder, 'events.sqlite'));
  const row = database.prepare('SELECT revision FROM events WHERE position = ?').raw().get(position);
  database.close();
  return (row as [number])[0];
}
