import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

/** What is moved is an embedded log, whatever the other tests run on. */
const stores = ServerStores.embedded();

let folder: string;
let server: TestServer | undefined;
let tool: CommandLine;
let owner: ApiClient;
let standIn: ChildProcess | undefined;
let eventStoreUrl: string;

const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-transfer-'));
  server = await TestServer.start({ directory: inFolder('source'), stores });
  tool = new CommandLine({ DATA_DIR: inFolder('source') });
  owner = await server.owner();
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await owner.must('post', 'users/me/subscriptions', { subscriptions });
  for (let count = 1; count <= 30; count += 1) await send(`Said ${count}.`);
  await owner.must('patch', `messages/${await send('Said.')}`, { content: 'Said otherwise.' });
  const entry = resolve('dist/test/support/eventstoredb-stand-in/main.js');
  standIn = spawn(process.execPath, [entry, '--directory', inFolder('eventstoredb')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  [eventStoreUrl] = (await once(createInterface({ input: standIn.stdout! }), 'line')) as [string];
});

afterAll(async () => {
  await server?.stop();
  if (standIn !== undefined) {
    const ended = once(standIn, 'exit');
    standIn.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

function send(content: string): Promise<number> {
  return owner.sendToChannel('engines', 'notes', content);
}

/** What the owner reads on a server over a data directory. */
async function messagesOn(directory: string, environment: Record<string, string> = {}): Promise<unknown> {
  await new CommandLine({ DATA_DIR: directory, ...environment }).must('owner', 'reset-key');
  const started = await TestServer.start({ directory, environment, stores });
  try {
    const client = await started.owner();
    const page = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false };
    return (await client.must('get', 'messages', page))['messages'].map(({ id, content }: JsonLine) => [
      id,
      content,
    ]);
  } finally {
    await started.stop();
  }
}

async function messagesAtSource(): Promise<unknown> {
  const page = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false };
  return (await owner.must('get', 'messages', page))['messages'].map(({ id, content }: JsonLine) => [
    id,
    content,
  ]);
}

/**
 * Removes what an import cut off before its last appends would not have added: the events at the end of one stream, and all that were
 * appended after the export's.
 *
 * @param size number of events in the export
 * @returns how many of its events were removed
 */
function removeLastAppends(file: string, size: number): number {
  const database = new Database(file);
  try {
    const streams = database.prepare('SELECT position, stream FROM events ORDER BY position').all() as {
      readonly position: number;
      readonly stream: string;
    }[];
    const kept = streams.slice(0, size).findLastIndex(({ stream }) => stream !== streams[size - 1]!.stream);
    database.prepare('DELETE FROM events WHERE position > ?').run(streams[kept]!.position);
    database.exec('DELETE FROM log_end');
    return size - kept - 1;
  } finally {
    database.close();
  }
}

async function root(of: CommandLine): Promise<unknown> {
  return (await of.json('audit', 'verify'))[0]!['root'];
}

describe('an export', () => {
  it('holds keys only when it is asked to', async () => {
    await tool.must('audit', 'export', inFolder('bare.ndjson'));
    await tool.must('audit', 'export', inFolder('keys.ndjson'), '--keys');
    const bare = await readFile(inFolder('bare.ndjson'), 'utf8');
    expect(bare).not.toContain('"wrapped"');
    expect(bare).not.toContain('Said');
    expect(await readFile(inFolder('keys.ndjson'), 'utf8')).toContain('"wrapped"');
    expect(await tool.must('audit', 'export')).toContain('"format":"palimpsest-log"');
  });

  it('says in a sentence where it cannot be written, as a statement does', async () => {
    for (const words of [['export'], ['seal', '--out']]) {
      for (const [file, said] of [
        ['bare.ndjson', 'is there already'],
        [join('nowhere', 'any.ndjson'), 'cannot be written'],
      ] as const) {
        const { code, stderr } = await tool.run('audit', ...words, inFolder(file));
        expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
        expect(stderr).not.toContain('    at ');
      }
    }
  });

  it('is not vouched for by a proof of what is not in the log', async () => {
    const { code, stderr } = await tool.run('audit', 'seal', '--prove', '1', '--prove', '99999');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no message or event "99999"')]);
    await tool.must('audit', 'seal', '--prove', '1');
  });

  it('is verified without making a key store where there is none', async () => {
    const copy = inFolder('without-keys');
    await tool.must('backup', inFolder('to-copy'), '--with-server-key');
    const there = new CommandLine({ DATA_DIR: copy });
    await there.must('restore', inFolder('to-copy'));
    await rm(join(copy, 'keys.sqlite'));
    const before = await readdir(copy);
    const { code, stderr } = await there.run('audit', 'verify');
    expect([code, stderr]).toEqual([1, expect.stringContaining('restore keys.sqlite')]);
    expect((await readdir(copy)).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(before);
  });

  it('gives the same events, ids and read models in empty embedded stores', async () => {
    const there = new CommandLine({ DATA_DIR: inFolder('imported') });
    const refused = await there.run('audit', 'import', inFolder('keys.ndjson'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('copy its server.key');
    await copyServerKey('imported');
    const imported = await there.run('audit', 'import', inFolder('keys.ndjson'));
    expect(imported.code).toBe(0);
    expect(imported.stderr).not.toContain('none was added');
    const end = JSON.parse((await readFile(inFolder('keys.ndjson'), 'utf8')).trim().split('\n').at(-1)!);
    expect(await root(there)).toBe(end.end.statement.claim.root);
    expect(await messagesOn(inFolder('imported'))).toEqual(await messagesAtSource());
  });

  it('that was cut off while it was imported serves nobody, and is imported again', async () => {
    await copyServerKey('cut');
    const there = new CommandLine({ DATA_DIR: inFolder('cut') });
    await there.must('audit', 'import', inFolder('keys.ndjson'));
    const whole = await root(there);
    // What an interruption leaves.
    await writeFile(join(inFolder('cut'), 'import.unfinished'), '10\n');
    const served = await there.run('serve');
    expect([served.code, served.stderr]).toEqual([
      1,
      expect.stringMatching(/^An import .+ was cut off: run "palimpsest audit import" again[^\n]+\n$/),
    ]);
    const verified = await there.run('audit', 'verify');
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining('was cut off')]);
    const resumed = await there.run('audit', 'import', inFolder('keys.ndjson'));
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('only completed it')]);
    expect(resumed.stderr).not.toContain('If you did not expect that');
    expect(await readdir(inFolder('cut'))).not.toContain('import.unfinished');
    expect(await root(there)).toBe(whole);
  });

  it('says of an import that was cut off how many events were in the log before', async () => {
    await copyServerKey('halved');
    const there = new CommandLine({ DATA_DIR: inFolder('halved') });
    const [{ events }] = (await there.json('audit', 'import', inFolder('keys.ndjson'))) as [JsonLine];
    const removed = removeLastAppends(join(inFolder('halved'), 'events.sqlite'), events);
    await writeFile(join(inFolder('halved'), 'import.unfinished'), `${events}\n`);
    const { code, stderr } = await there.run('audit', 'import', inFolder('keys.ndjson'));
    const said = `Events that this run added: ${removed}; in the log before: ${events - removed}.`;
    expect([code, stderr]).toEqual([0, expect.stringContaining(said)]);
    expect(await there.must('audit', 'verify')).toContain('Nothing is amiss.');
  });

  it('is not imported with a key that cannot be read, which is not said to be missing', async () => {
    const key = join(inFolder('source'), 'server.key');
    for (const [serverKeyFile, said, ...options] of [
      [`${key}/server.key`, `The file ${key}/server.key cannot be read (ENOTDIR).`],
      [
        `${key}/server.key`,
        `The file ${key}/server.key cannot be read (ENOTDIR).`,
        '--without-checking-tags',
      ],
      [folder, `The file ${folder} cannot be read (EISDIR).`],
      [key, `The file ${folder} cannot be read (EISDIR).`, '--source-key', folder],
      [key, `There is no file ${inFolder('absent.key')}.`, '--source-key', inFolder('absent.key')],
    ] as const) {
      const there = new CommandLine({ DATA_DIR: inFolder('locked'), SERVER_KEY_FILE: serverKeyFile });
      const { code, stderr } = await there.run('audit', 'import', inFolder('keys.ndjson'), ...options);
      expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
      expect(existsSync(inFolder('locked'))).toBe(false);
    }
  });

  it('gives the same in EventStoreDB', async () => {
    await copyServerKey('moved');
    const environment = { EVENTSTORE_URL: eventStoreUrl };
    const there = new CommandLine({ DATA_DIR: inFolder('moved'), ...environment });
    const [imported] = await there.json('audit', 'import', inFolder('keys.ndjson'));
    expect(await root(there)).toBe(imported!['root']);
    const again = await there.json('audit', 'import', inFolder('keys.ndjson'));
    expect(again).toEqual([imported]);
    const { stderr } = await there.run('audit', 'import', inFolder('keys.ndjson'));
    expect(stderr).toContain('none was added. If you did not expect that, see which stores DATA_DIR');
    expect(await messagesOn(inFolder('moved'), environment)).toEqual(await messagesAtSource());
  });

  it('is tried by a drill that leaves nothing behind and needs no server', async () => {
    const temporary = inFolder('temporary');
    await mkdir(temporary);
    const there = new CommandLine({
      DATA_DIR: inFolder('drilling'),
      SERVER_KEY_FILE: join(inFolder('source'), 'server.key'),
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/palimpsest',
      S3_BUCKET: 'files',
      TMPDIR: temporary,
    });
    const said = await there.must('backup', 'drill', '--export', inFolder('keys.ndjson'));
    expect(said).toContain('Nothing is amiss.');
    expect(said).toMatch(/can be restored: \d+ read models were built up to event \d+\.\n$/);
    const readable = inFolder('readable.key');
    await copyFile(join(inFolder('source'), 'server.key'), readable);
    await chmod(readable, 0o644);
    const words = ['--export', inFolder('keys.ndjson'), '--server-key', readable];
    const lines = await there.json('backup', 'drill', ...words);
    expect(lines.at(-1)).toMatchObject({ id: inFolder('keys.ndjson'), unbuilt: [], good: true });
    expect([await readdir(temporary), existsSync(inFolder('drilling'))]).toEqual([[], false]);
  });

  it('is refused by a drill where it cannot be restored', async () => {
    const whole = inFolder('keys.ndjson');
    const text = await readFile(whole, 'utf8');
    await writeFile(inFolder('cut.ndjson'), text.split('\n').slice(0, -2).join('\n'));
    const key = ['--server-key', join(inFolder('source'), 'server.key')];
    const [absent, wrong, malformed] = [
      inFolder('absent.key'),
      inFolder('wrong.key'),
      inFolder('malformed.key'),
    ];
    await writeFile(wrong, `${randomBytes(32).toString('base64')}\n`);
    await writeFile(malformed, 'mauve');
    const folderOfKey = inFolder('source');
    const there = new CommandLine({ DATA_DIR: inFolder('drilling') });
    for (const [code, said, ...words] of [
      [1, 'cut off', '--export', inFolder('cut.ndjson'), ...key],
      [1, 'cannot be read', '--export', inFolder('absent.ndjson'), ...key],
      [1, 'name it with --server-key', '--export', whole],
      [1, `There is no file ${absent}.`, '--export', whole, '--server-key', absent],
      [
        1,
        `The file ${malformed}/server.key cannot be read (ENOTDIR).`,
        '--export',
        whole,
        '--server-key',
        `${malformed}/server.key`,
      ],
      [1, `The file ${folderOfKey} cannot be read (EISDIR).`, '--export', whole, '--server-key', folderOfKey],
      [1, `${wrong} is not the key that the export`, '--export', whole, '--server-key', wrong],
      [1, `${malformed} is not a server key`, '--export', whole, '--server-key', malformed],
      [1, `${inFolder('bare.ndjson')} lacks keys`, '--export', inFolder('bare.ndjson'), ...key],
      [2, 'takes no place', inFolder('anywhere'), '--export', whole, ...key],
    ] as const) {
      const refused = await there.run('backup', 'drill', ...words);
      expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(said)]);
      expect(refused.stderr).not.toMatch(/ {4}at |--source-key|--without-checking-tags|--erase-without-keys/);
    }
  });

  it('goes into no other log, and into none when it was changed or cut off', async () => {
    const text = await readFile(inFolder('keys.ndjson'), 'utf8');
    await copyServerKey('empty');
    const there = new CommandLine({ DATA_DIR: inFolder('empty') });
    const refusalOf = async (spoiled: string): Promise<string> => {
      await writeFile(inFolder('spoiled.ndjson'), spoiled);
      const { code, stderr } = await there.run('audit', 'import', inFolder('spoiled.ndjson'));
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refusalOf(text.replace('"topic":"notes"', '"topic":"other"'))).toContain('hash');
    expect(await refusalOf(text.split('\n').slice(0, -2).join('\n'))).toContain('cut off');
    expect(await refusalOf('{}\n')).toContain('no export');
    expect(await readdir(inFolder('empty'))).toEqual(['server.key']);
    const busy = await new CommandLine({ DATA_DIR: inFolder('imported') }).run(
      'audit',
      'import',
      inFolder('bare.ndjson'),
    );
    expect(busy.code).toBe(0);
  });

  it('without keys lets what people wrote count as erased, when that is asked for', async () => {
    const there = new CommandLine({ DATA_DIR: inFolder('keyless') });
    const refused = await there.run('audit', 'import', inFolder('bare.ndjson'));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('--erase-without-keys');
    await there.must('audit', 'import', inFolder('bare.ndjson'), '--erase-without-keys');
    expect(await there.must('audit', 'verify')).toContain('Nothing is amiss.');
    const sent = await there.json('audit', 'log', '--type', 'MessageSent');
    expect(sent.every(({ erased }) => erased === true)).toBe(true);
  });

  async function copyServerKey(to: string): Promise<void> {
    await mkdir(inFolder(to), { recursive: true, mode: 0o700 });
    await copyFile(join(inFolder('source'), 'server.key'), join(inFolder(to), 'server.key'));
  }
});
