import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { S3StandIn } from '../support/s3-stand-in.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

/** What is backed up are embedded stores, whatever the other tests run on. */
const stores = ServerStores.embedded();

let folder: string;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;

const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-backups-'));
  server = await TestServer.start({ directory: inFolder('source'), stores });
  tool = new CommandLine({ DATA_DIR: inFolder('source') });
  owner = await server.owner();
  await owner.must('post', 'users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'engines' }]),
  });
  for (let count = 1; count <= 20; count += 1) await send(`Said ${count}.`);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function send(content: string): Promise<number> {
  return owner.sendToChannel('engines', 'notes', content);
}

async function contentsOf(client: ApiClient): Promise<readonly unknown[]> {
  const page = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false };
  return (await client.must('get', 'messages', page))['messages'].map(({ id, content }: JsonLine) => [
    id,
    content,
  ]);
}

/** What the owner reads on a server over a data directory. */
async function messagesOn(directory: string): Promise<readonly unknown[]> {
  await new CommandLine({ DATA_DIR: directory }).must('owner', 'reset-key');
  const started = await TestServer.start({ directory, stores });
  try {
    return await contentsOf(await started.owner());
  } finally {
    await started.stop();
  }
}

async function manifestsIn(place: string): Promise<readonly JsonLine[]> {
  const names = (await readdir(join(place, 'backups'))).toSorted();
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(place, 'backups', name), 'utf8')) as JsonLine),
  );
}

describe('a backup', () => {
  it('is made while the server writes, and restores to what it was', async () => {
    let backingUp = true;
    const writer = (async () => {
      for (let count = 0; backingUp; count += 1) await send(`While backing up ${count}.`);
    })();
    await tool.must('backup', inFolder('backup'), '--with-server-key');
    backingUp = false;
    await writer;
    const there = new CommandLine({ DATA_DIR: inFolder('restored') });
    await there.must('restore', inFolder('backup'));
    expect(await there.must('audit', 'verify')).toContain('Nothing is amiss.');
    const restored = await messagesOn(inFolder('restored'));
    const source = await contentsOf(owner);
    expect(restored.length).toBeGreaterThanOrEqual(20);
    expect(source.slice(0, restored.length)).toEqual(restored);
  });

  it('shows its size and its age in the metrics of the server', async () => {
    const shown = await (await fetch(`${server.site}/metrics`)).text();
    const figure = (name: string): number =>
      Number(new RegExp(`^palimpsest_${name} (\\S+)$`, 'm').exec(shown)?.[1]);
    const [listed] = await tool.json('backup', 'list', inFolder('backup'));
    expect(figure('backup_bytes')).toBe(listed!['bytes']);
    expect(figure('backup_bytes')).toBeGreaterThan(0);
    expect(figure('backup_age_seconds')).toBeGreaterThan(0);
  });

  it('of a log that went on holds only what it gained, and another one begins anew', async () => {
    const place = inFolder('incremental');
    for (let round = 0; round < 3; round += 1) {
      await send(`Round ${round}.`);
      await tool.must('backup', place);
    }
    const [, second, third] = await manifestsIn(place);
    const positions = third!['log'].slices.map((slice: JsonLine) => [slice['after'], slice['through']]);
    expect(positions[0][0]).toBe(0);
    expect(positions.at(-1)[1]).toBe(third!['log'].position);
    expect(third!['log'].slices[0].piece).toEqual(second!['log'].slices[0].piece);
    expect(third!['log'].slices.length).toBeLessThan(5);
    const other = new CommandLine({ DATA_DIR: inFolder('restored') });
    await other.must('backup', place);
    const fourth = (await manifestsIn(place)).at(-1)!;
    const written = new RegExp(`^pieces/${fourth['id']}/`);
    expect(fourth['log'].slices.at(-1).piece.name).toMatch(written);
    const there = inFolder('incremental-restored');
    const key = join(inFolder('source'), 'server.key');
    const words = ['--backup', String(third!['id']), '--server-key', key];
    await new CommandLine({ DATA_DIR: there }).must('restore', place, ...words);
    expect(await new CommandLine({ DATA_DIR: there }).must('audit', 'verify')).toContain('Nothing is amiss.');
  });

  it('is restored with no other key than its own, which is in it only when asked for', async () => {
    const place = inFolder('incremental');
    const third = String((await manifestsIn(place))[2]!['id']);
    const there = new CommandLine({ DATA_DIR: inFolder('keyless') });
    const without = await there.run('restore', place, '--backup', third);
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringContaining('server.key is not in this backup'),
    ]);
    await writeFile(inFolder('wrong.key'), `${Buffer.alloc(32).toString('base64')}\n`, { mode: 0o600 });
    const wrong = await there.run('restore', place, '--backup', third, '--server-key', inFolder('wrong.key'));
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not the key')]);
  });

  it('goes into no directory that holds anything of another installation', async () => {
    const used = inFolder('used');
    await mkdir(used);
    await writeFile(join(used, 'events.sqlite-wal'), 'stale');
    const refused = await new CommandLine({ DATA_DIR: used }).run('restore', inFolder('backup'));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(await readdir(used)).not.toContain('events.sqlite');
  });

  it('that was cut off while it was restored serves nobody, and is restored again', async () => {
    const cut = inFolder('cut');
    await mkdir(cut);
    const [{ id }] = (await manifestsIn(inFolder('backup'))) as readonly [JsonLine];
    await writeFile(join(cut, 'restore.unfinished'), `${inFolder('backup')} ${id}`);
    await writeFile(join(cut, 'events.sqlite.restored'), 'a part of it');
    const there = new CommandLine({ DATA_DIR: cut });
    for (const words of [
      ['owner', 'reset-key'],
      ['audit', 'verify'],
    ]) {
      const { code, stderr } = await there.run(...words);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^A restore .+ was cut off[^\n]+\n$/)]);
    }
    await there.must('restore', inFolder('backup'));
    expect(await there.must('audit', 'verify')).toContain('Nothing is amiss.');
    expect(await readdir(cut)).not.toContain('restore.unfinished');
  });

  it('is tried by one command, which leaves nothing behind', async () => {
    const temporary = inFolder('temporary');
    await mkdir(temporary);
    const there = new CommandLine({ DATA_DIR: inFolder('source'), TMPDIR: temporary });
    const said = await there.must('backup', 'drill', inFolder('backup'));
    expect(said).toContain('Nothing is amiss.');
    expect(said).toMatch(/can be restored: \d+ read models were built up to event \d+\.\n$/);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('that was damaged is found without a key, and not restored', async () => {
    const place = inFolder('backup');
    expect(await tool.must('backup', 'verify', place)).toContain('Nothing is amiss.');
    const [manifest] = await manifestsIn(place);
    const piece = join(place, manifest!['log'].slices[0].piece.name as string);
    await truncate(piece, (await stat(piece)).size - 1);
    const { code, stdout } = await tool.run('backup', 'verify', place);
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(/^The backup is damaged: pieces\/.+ is not what it was\.\n/),
    ]);
    const fresh = await new CommandLine({ DATA_DIR: inFolder('fresh') }).run('restore', place);
    expect([fresh.code, fresh.stderr]).toEqual([1, expect.stringContaining('is not what it was.')]);
    expect(await readdir(inFolder('fresh'))).not.toContain('events.sqlite');
  });

  it('is for embedded stores alone', async () => {
    const there = new CommandLine({
      DATA_DIR: inFolder('moved'),
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    });
    const { code, stderr } = await there.run('backup', inFolder('other'));
    expect(code).toBe(1);
    expect(stderr).toContain('EventStoreDB and MongoDB have tools of their own');
  });
});

describe('a backup in a bucket, encrypted', () => {
  it('shows nothing, and opens under the secret key alone', async () => {
    const bucket = await S3StandIn.start('copies', 'backup-key');
    try {
      const identity = await generateX25519Identity();
      await writeFile(inFolder('identity'), `# of the operators\n${identity}\n`);
      const environment = {
        DATA_DIR: inFolder('source'),
        BACKUP_TO: 's3://copies/nightly',
        BACKUP_RECIPIENT: await identityToRecipient(identity),
        S3_ENDPOINT: bucket.endpoint,
        S3_ACCESS_KEY_ID: 'backup-key',
        S3_SECRET_ACCESS_KEY: 'backup-secret',
      };
      const there = new CommandLine(environment);
      await there.must('backup', '--with-server-key');
      const pieces = [...bucket.objects].filter(([name]) => name.startsWith('nightly/pieces/'));
      expect(pieces.length).toBeGreaterThan(4);
      for (const [name, bytes] of pieces) {
        expect(name).toMatch(/\.age$/);
        expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/);
      }
      const closed = await there.run('backup', 'drill');
      expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining('--identity FILE')]);
      expect(await there.must('backup', 'drill', '--identity', inFolder('identity'))).toContain(
        'can be restored',
      );
      const wrong = await new CommandLine({ ...environment, S3_ACCESS_KEY_ID: 'other' }).run('backup');
      expect([wrong.code, wrong.stderr]).toEqual([
        1,
        expect.stringContaining('s3://copies/nightly cannot be used'),
      ]);
    } finally {
      await bucket.stop();
    }
  });
});

describe('backups over time', () => {
  it('go by count, and what is older than an erasure is marked and goes first', async () => {
    const place = inFolder('kept');
    const keeping = (environment: Record<string, string>): CommandLine =>
      new CommandLine({ DATA_DIR: inFolder('source'), BACKUP_TO: place, ...environment });
    for (let round = 0; round < 3; round += 1) await keeping({ BACKUP_KEEP: '2' }).must('backup');
    expect((await manifestsIn(place)).length).toBe(2);
    await owner.must('patch', 'realm', { message_erasure_policy: 'erase' });
    const erased = await send('To be forgotten.');
    await keeping({}).must('backup');
    await owner.must('delete', `messages/${erased}`);
    const listed = async (): Promise<readonly JsonLine[]> => keeping({}).json('backup', 'list');
    const marked = await eventually(listed, (lines) =>
      lines.every((line) => line['olderThanErasureOf'] !== null),
    );
    expect(marked.length).toBe(3);
    expect(await keeping({}).must('backup', 'list')).toMatch(
      /^(?:\S+ {2}up to event \d+ {2}\d+ bytes {2}not encrypted, may hold what was erased from \S+ on\n){3}$/,
    );
    const made = (await keeping({ BACKUP_ERASED_DAYS: '0' }).json('backup'))[0]!;
    expect(made['expired']).toEqual(marked.map((line) => line['id']));
    expect((await listed()).map((line) => [line['id'], line['olderThanErasureOf']])).toEqual([
      [made['id'], null],
    ]);
    const [manifest] = await manifestsIn(place);
    const needed = new Set<string>([
      ...manifest!['log'].slices.map((slice: JsonLine) => slice['piece'].name as string),
      manifest!['log'].end.name as string,
      ...manifest!['files'].map((file: JsonLine) => file['piece'].name as string),
    ]);
    const entries = await readdir(join(place, 'pieces'), { recursive: true, withFileTypes: true });
    const present = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(present.toSorted()).toEqual([...needed].map((name) => join(place, name)).toSorted());
    expect(await keeping({}).must('backup', 'verify')).toContain('Nothing is amiss.');
  });

  it('are made by the server itself, which tells how old the last one is', async () => {
    const place = inFolder('scheduled');
    const environment = { BACKUP_EVERY: '24h', BACKUP_TO: place };
    const other = await TestServer.start({ environment, stores });
    try {
      const metrics = async (): Promise<string> => (await fetch(`${other.site}/metrics`)).text();
      const shown = await eventually(metrics, (text) => /^palimpsest_backup_age_seconds \d/m.test(text));
      expect(shown).toMatch(/^palimpsest_backup_interval_seconds 86400$/m);
      expect(shown).toMatch(/^palimpsest_backup_failures_total 0$/m);
      expect((await manifestsIn(place)).length).toBe(1);
      await eventually(
        () => Promise.resolve(other.log.join('\n')),
        (log) => log.includes('"msg":"Backed up"'),
      );
    } finally {
      await other.stop();
    }
  });

  it('end when they are told to, though their place does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const dataDirectory = inFolder('source');
    const serverKeyFile = join(dataDirectory, 'server.key');
    const s3 = { endpoint, region: 'here', credentials: { accessKeyId: 'one', secretAccessKey: 'two' } };
    const workerData = {
      stores: { dataDirectory, eventStoreUrl: null, mongodbUrl: null, serverKeyFile },
      backup: { keep: 1, erasedDays: 1, recipient: null, withServerKey: false, s3 },
      to: 's3://bucket/folder',
    };
    const asked = once(silent, 'connection');
    const entry = new URL('../../dist/src/operations/backup/backup-thread.js', import.meta.url);
    const thread = new Worker(entry, { workerData });
    const [connection] = (await asked) as [Socket];
    const ended = once(thread, 'exit');
    thread.postMessage('stop');
    await ended;
    connection.destroy();
    silent.close();
  });

  it('that fail are counted and logged, and the server goes on', async () => {
    await writeFile(inFolder('a-file'), 'in the way');
    const environment = { BACKUP_EVERY: '24h', BACKUP_TO: join(inFolder('a-file'), 'below') };
    const other = await TestServer.start({ environment, stores });
    try {
      const metrics = async (): Promise<string> => (await fetch(`${other.site}/metrics`)).text();
      const shown = await eventually(metrics, (text) => /^palimpsest_backup_failures_total 1$/m.test(text));
      expect(shown).not.toMatch(/^palimpsest_backup_age_seconds/m);
      await eventually(
        () => Promise.resolve(other.log.join('\n')),
        (log) => log.includes('A backup could not be made'),
      );
    } finally {
      await other.stop();
    }
  });
});

describe('a folder that an earlier version made', () => {
  it('is restored as it was', async () => {
    const directory = inFolder('earlier');
    await mkdir(directory);
    await tool.must('backup', inFolder('for-earlier'), '--with-server-key');
    await new CommandLine({ DATA_DIR: inFolder('as-it-was') }).must('restore', inFolder('for-earlier'));
    const files: unknown[] = [];
    for (const name of ['events.sqlite', 'keys.sqlite', 'credentials.sqlite', 'server.key']) {
      await copyFile(join(inFolder('as-it-was'), name), join(directory, name));
      const bytes = await readFile(join(directory, name));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.push({ name, bytes: bytes.length, sha256 });
    }
    const manifest = { format: 'palimpsest-backup', version: 1, madeAt: '2026-01-01T00:00:00.000Z', files };
    await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
    const there = new CommandLine({ DATA_DIR: inFolder('from-earlier') });
    await there.must('restore', directory);
    expect(await there.must('audit', 'verify')).toContain('Nothing is amiss.');
    await writeFile(join(directory, 'server.key'), 'another');
    const { code, stderr } = await new CommandLine({ DATA_DIR: inFolder('damaged') }).run(
      'restore',
      directory,
    );
    expect([code, stderr]).toEqual([1, 'The backup is damaged: server.key is not what it was.\n']);
  });
});

describe('REACTORS=off', () => {
  it('sends nothing, and a start without it does what was due', async () => {
    const directory = inFolder('silent');
    const silent = await TestServer.start({ directory, environment: { REACTORS: 'off' }, stores });
    const outbox = async (): Promise<readonly string[]> => readdir(join(directory, 'outbox')).catch(() => []);
    try {
      const there = await silent.owner();
      const invitation = { invitee_emails: 'ada@example.com', stream_ids: '[]' };
      await there.must('post', 'invites', invitation);
      const { user_id: me } = await there.must('get', 'users/me');
      const note = { type: 'direct', to: JSON.stringify([me]), content: 'A note.' };
      const { id } = await there.must('post', 'messages', note);
      await there.must('delete', `messages/${id}`);
      expect(await outbox()).toEqual([]);
      await eventually(
        () => Promise.resolve(silent.log.join('\n')),
        (log) => log.includes('REACTORS is off'),
      );
    } finally {
      await silent.stop();
    }
    const speaking = await TestServer.start({ directory, stores });
    try {
      expect((await eventually(outbox, (files) => files.length > 0)).length).toBe(1);
    } finally {
      await speaking.stop();
    }
  });
});
