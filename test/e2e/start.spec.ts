import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { CommandLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-start-'));
  server = await TestServer.start({ directory: folder });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a server that is not expected to come up, and answers what it told the operator. */
function refusal(environment: Readonly<Record<string, string>>): Promise<{ code: unknown; told: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, PORT: '0', ...environment };
  return new Promise((done) => {
    execFile(process.execPath, [resolve('dist/src/main.js')], { env }, (error, stdout, stderr) => {
      done({ code: error?.code, told: stdout + stderr });
    });
  });
}

/** One line, without a stack. */
const sentence = /^[^\n]+\n$/;

describe('a start', () => {
  it('is refused with a sentence that names a bad value', async () => {
    const { code, told } = await refusal({ PORT: 'nine' });
    expect([code, told]).toEqual([1, expect.stringMatching(/^PORT must be .+"nine"\.\n$/)]);
  });

  it('is refused with a sentence while another server runs on the directory, which goes on', async () => {
    const { code, told } = await refusal({});
    expect([code, told]).toEqual([1, expect.stringMatching(sentence)]);
    expect(told).toContain(folder);
    await (await server.owner()).must('get', 'users/me');
  });

  it('is refused with a sentence when a store cannot be reached', async () => {
    const { code, told } = await refusal({
      DATA_DIR: join(folder, 'elsewhere'),
      MONGODB_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=200',
      STORES_TIMEOUT_SECONDS: '1',
    });
    expect([code, told]).toEqual([1, expect.stringMatching(sentence)]);
  });

  it.each([
    ['a port that is taken', { DATA_DIR: 'busy' }, 'another PORT'],
    ['an address of another machine', { DATA_DIR: 'busy', HOST: '192.0.2.1', PORT: '0' }, 'set HOST'],
    ['a data directory below a file', { DATA_DIR: 'owner.zuliprc/data' }, 'is a file and not a folder'],
  ])('is refused with a sentence on %s', async (_what, environment, said) => {
    const { code, told } = await refusal({
      PORT: new URL(server.site).port,
      LOG_LEVEL: 'silent',
      ...environment,
      DATA_DIR: join(folder, environment.DATA_DIR),
    });
    expect([code, told]).toEqual([1, expect.stringMatching(sentence)]);
    expect(told).toContain(said);
  });

  it('locks the directory with a file that nobody else can read, and so keep locked', async () => {
    expect((await stat(join(folder, 'lock.sqlite'))).mode & 0o777).toBe(0o600);
  });

  it('says in one line where everything is', async () => {
    const ready = server.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'Ready');
    expect(ready).toEqual([
      expect.objectContaining({
        address: server.site,
        events: expect.any(String),
        models: expect.any(String),
        documentation: `${server.site}/api/docs`,
      }),
    ]);
    expect((await fetch(`${server.site}/api/docs`)).status).toBe(200);
  });
});

/** An installation on embedded stores, whatever the other tests run on, to be copied and spoiled. */
describe('a start on stores that do not belong together', () => {
  let whole: string;
  let copies = 0;

  const inFolder = (name: string): string => join(folder, name);

  beforeAll(async () => {
    whole = inFolder('whole');
    const started = await TestServer.start({ directory: whole, stores: ServerStores.embedded() });
    const owner = await started.owner();
    await owner.must('post', 'channels/create', { name: 'engines', subscribers: [] });
    await started.stop();
  });

  /** What a start says of a copy of the installation that something was done to. */
  async function toldOf(spoil: (directory: string) => Promise<void>): Promise<string> {
    copies += 1;
    const directory = inFolder(`copy-${copies}`);
    await cp(whole, directory, { recursive: true });
    await spoil(directory);
    const { code, told } = await refusal({ DATA_DIR: directory });
    expect([code, told]).toEqual([1, expect.stringMatching(sentence)]);
    return told;
  }

  async function remove(directory: string, ...names: readonly string[]): Promise<void> {
    for (const found of await readdir(directory)) {
      if (names.some((name) => found.startsWith(name))) await rm(join(directory, found), { recursive: true });
    }
  }

  it('is refused when the log was lost', async () => {
    expect(await toldOf((copy) => remove(copy, 'events.sqlite'))).toContain('ends at position 0');
    expect(await toldOf((copy) => remove(copy, 'events.sqlite', 'models'))).toContain('log is empty');
    expect(await toldOf((copy) => remove(copy, 'events.sqlite', 'models', 'keys.sqlite'))).toContain(
      'log is empty',
    );
  });

  it('is refused when the log is an older one', async () => {
    const cutOff = async (copy: string): Promise<void> => {
      const database = new Database(join(copy, 'events.sqlite'));
      database.exec('DELETE FROM events WHERE position > 12');
      database.close();
    };
    expect(await toldOf(cutOff)).toContain('ends at position 12');
    const withoutModels = async (copy: string): Promise<void> => {
      await cutOff(copy);
      for (const name of await readdir(join(copy, 'models'))) {
        if (!/^(?:reactor-|engine)/.test(name)) await rm(join(copy, 'models', name));
      }
    };
    expect(await toldOf(withoutModels)).toContain('reactor');
  });

  it('is refused when the keys were lost', async () => {
    expect(await toldOf((copy) => remove(copy, 'keys.sqlite'))).toContain('restore keys.sqlite');
  });

  it.each(['events.sqlite', 'keys.sqlite'])('is refused when %s is damaged', async (name) => {
    const damage = async (copy: string): Promise<void> => {
      await remove(copy, name);
      await writeFile(join(copy, name), 'nothing that SQLite wrote '.repeat(400), { mode: 0o600 });
    };
    expect(await toldOf(damage)).toContain(`${name} is damaged`);
  });

  it.each([
    ['projections', 'rebuild', 'messages'],
    ['projections', 'pause', 'messages'],
    ['owner', 'reset-key'],
  ])('is not what “%s %s” makes of a directory that does not exist', async (...words) => {
    const missing = inFolder('missing');
    const { code, stderr } = await new CommandLine({ DATA_DIR: missing }).run(...words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(stderr).toContain('There is no event log');
    expect(await readdir(folder)).not.toContain('missing');
  });
});
