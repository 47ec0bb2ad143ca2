import { copyFile, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { listSnapshots, type SnapshotReport } from '../../src/stores/event-store/snapshots/list-snapshots.js';
import type { ApiClient } from '../support/api-client.js';
import { withStoresOf } from '../crash/support/data-directory.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const secret = 'Quillfeather';
const rounds = 1_200;

let directory: string;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let adaId: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-snapshots-'));
  tool = new CommandLine({ DATA_DIR: directory });
  await start();
  adaId = (await server.createUser(owner, `Ada ${secret}`)).id;
  await server.stop();
  await lengthenUsers();
  await start();
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(): Promise<void> {
  // Files are what this is about; the stores of servers have none.
  server = await TestServer.start({ directory, stores: ServerStores.embedded() });
  owner = await server.owner();
}

/** Ada is renamed again and again. */
function lengthenUsers(): Promise<void> {
  return withStoresOf(directory, async ({ log }) => {
    const { length } = await log.readStream('users', { from: 0, limit: 1_000 });
    const events = Array.from({ length: rounds }, (_, round) => ({
      type: 'UserRenamed' as const,
      data: { userId: adaId, fullName: `Ada ${secret} the ${round}th` },
    }));
    const command = { actorId: null, commandId: randomCommandId(), causationId: null };
    await log.append({ stream: 'users', expected: length - 1 }, events, {
      ...command,
      client: 'tests',
      at: 0,
    });
  });
}

/** The snapshot of the accounts, once there is one. */
async function snapshotOfUsers(): Promise<SnapshotReport> {
  const find = async (): Promise<SnapshotReport | undefined> =>
    (await listSnapshots(join(directory, 'snapshots'))).find(({ fold }) => fold === 'users');
  return (await eventually(find, (found) => found !== undefined))!;
}

async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    if ((await readFile(join(entry.parentPath, entry.name))).includes(text)) found.push(entry.name);
  }
  return found;
}

describe('snapshots of long streams', () => {
  it('are kept by the first command, and shown to operators', async () => {
    expect(await tool.must('projections', 'snapshots')).toContain('There are none');
    await server.createUser(owner, 'Grace');
    expect((await snapshotOfUsers()).revision).toBeGreaterThan(rounds);
    expect(await tool.must('projections', 'snapshots')).toMatch(/^users +\d+ +users +\d+ /m);
  });

  it('are listed over HTTP as far as they are the newest 100, and only if somebody asks', async () => {
    const folder = join(directory, 'snapshots');
    const [file] = (await readdir(folder)).filter((name) => name.endsWith('.snapshot'));
    const copies = Array.from({ length: 100 }, (_, number) => join(folder, `copy-${number}.snapshot`));
    for (const copy of copies) await copyFile(join(folder, file!), copy);
    const { snapshots, snapshot_count: count } = await owner.must('get', 'audit/operations');
    expect(snapshots).toHaveLength(100);
    expect(count).toBeGreaterThan(100);
    const without = await owner.must('get', 'audit/operations', { snapshots: false });
    expect(without).not.toHaveProperty('snapshots');
    expect(without).toHaveProperty('reactors');
    for (const copy of copies) await rm(copy);
  });

  it('carry on after a kill, with ids and names that go on where they were', async () => {
    await server.kill();
    await start();
    const { id } = await server.createUser(owner, 'Alan');
    expect((await owner.must('get', `users/${id}`))['user']).toMatchObject({ full_name: 'Alan' });
    const taken = await owner.post('users', {
      email: 'alan@example.com',
      password: 'enigma-enigma',
      full_name: 'Another',
    });
    expect(taken).toMatchObject({ status: 400 });
    expect((await owner.must('get', `users/${adaId}`))['user'].full_name).toContain(secret);
    expect(server.log.join('\n')).not.toContain('A snapshot is passed over');
  });

  it('are left out of backups', async () => {
    const folder = `${directory}-backup`;
    try {
      await tool.must('backup', folder);
      const [backup] = await readdir(join(folder, 'backups'));
      const manifest = JSON.parse(await readFile(join(folder, 'backups', backup!), 'utf8')) as {
        readonly files: readonly { readonly name: string }[];
      };
      const names = manifest.files.map(({ name }) => name);
      expect(names).toContain('keys.sqlite');
      expect(names.filter((name) => name.includes('snapshot'))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('may be removed while the server runs', async () => {
    expect(await tool.must('projections', 'snapshots', '--drop')).toMatch(/^Removed [1-9]\d*\.\n$/);
    expect(await tool.json('projections', 'snapshots')).toEqual([]);
    await server.createUser(owner, 'Barbara');
  });

  it('are made anew when a person is erased, and keep nothing of them', async () => {
    await owner.must('delete', `users/${adaId}`);
    await tool.must('owner', 'erase-person', String(adaId), '--yes');
    await server.createUser(owner, 'Edsger');
    await snapshotOfUsers();
    expect(await filesWith(secret)).toEqual([]);
    expect((await owner.must('get', `users/${adaId}`))['user'].full_name).toBe('Deleted user');
  });
});
