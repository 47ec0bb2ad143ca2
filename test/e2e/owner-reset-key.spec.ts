import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer | null = null;
let folder: string;
let stores: ServerStores;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-reset-'));
  stores = await ServerStores.open();
});

afterEach(async () => {
  await server?.stop();
  server = null;
  await stores.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs the command-line tool on the data directory. */
function palimpsest(...words: string[]): Promise<Outcome> {
  const entry = resolve('dist/src/cli/main.js');
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, ...stores.environment };
  return new Promise((done) => {
    execFile(process.execPath, [entry, ...words], { env }, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

async function started(): Promise<TestServer> {
  server = await TestServer.start({ directory: folder, stores });
  return server;
}

describe('the owner’s key after the first start', () => {
  it('is in the credentials file and in no line of the log', async () => {
    const running = await started();
    const file = join(running.directory, 'owner.zuliprc');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const client = await running.owner();
    await client.must('get', 'users/me');
    expect(running.log.join('\n')).not.toContain(client.credentials?.key ?? 'no key');
  });
});

describe('palimpsest owner reset-key', () => {
  it('asks the running server: the old key is refused within a second, the new one taken at once', async () => {
    const running = await started();
    const before = await running.owner();
    await before.must('get', 'users/me');
    const { code, output } = await palimpsest('owner', 'reset-key');
    const after = await running.owner();
    expect(code).toBe(0);
    expect(output).toContain('owner.zuliprc');
    expect(output).not.toContain(after.credentials?.key ?? 'no key');
    await after.must('get', 'users/me');
    await until(async () => (await before.get('users/me')).status === 401);
  });

  it('works on the files when no server runs, and the next start keeps that key', async () => {
    const first = await started();
    const before = await first.owner();
    await first.stop();
    expect(await palimpsest('owner', 'reset-key')).toMatchObject({ code: 0 });
    const second = await started();
    await (await second.owner()).must('get', 'users/me');
    const old = new ApiClient(second.site, before.credentials);
    expect((await old.get('users/me')).status).toBe(401);
  });

  it('works after the server died without warning', async () => {
    const first = await started();
    await first.kill();
    expect(await palimpsest('owner', 'reset-key')).toMatchObject({ code: 0 });
  });

  it('says in a sentence that there is no owner yet', async () => {
    const { code, output } = await palimpsest('owner', 'reset-key');
    expect(code).toBe(1);
    expect(output).toBe(
      'The organization has no active owner yet: start the server once, and it makes one.\n',
    );
    expect(await readdir(folder)).not.toContain('owner.zuliprc');
  });
});

describe('palimpsest', () => {
  it('says what it can do', async () => {
    const { code, output } = await palimpsest('--help');
    expect(code).toBe(0);
    expect(output).toContain('owner');
    expect((await palimpsest('owner', '--help')).output).toContain('reset-key');
    expect(await palimpsest('owner', 'reset')).toMatchObject({ code: 2 });
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
