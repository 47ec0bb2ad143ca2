import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;

// What comes later goes on with the server, or the files, of what came before.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-reset-'));
  stores = await ServerStores.open();
  tool = new CommandLine({ DATA_DIR: folder, ...stores.environment });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await TestServer.start({ directory: folder, stores });
}

async function statusFor(client: ApiClient): Promise<number> {
  return (await client.get('users/me')).status;
}

describe('palimpsest owner reset-key before the first start', () => {
  it('reports that there is no installation yet, and creates none', async () => {
    const { code, stdout, stderr } = await tool.run('owner', 'reset-key');
    expect(code).toBe(1);
    // Where the log is a server’s, the key is what is missing here.
    expect(stdout + stderr).toMatch(/^(?:There is no event log|The server key)[^\n]+\n$/);
    const made = (await readdir(folder)).filter((name) => /^(?:owner|server|events|keys)\./.test(name));
    expect(made).toEqual([]);
  });
});

describe('the owner’s key after the first start', () => {
  beforeAll(start);

  it('is in the credentials file and in no line of the log', async () => {
    const file = join(folder, 'owner.zuliprc');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const client = await server.owner();
    await client.must('get', 'users/me');
    expect(server.log.join('\n')).not.toContain(client.credentials?.key ?? 'no key');
  });
});

describe('palimpsest owner reset-key', () => {
  it('asks the running server: the old key is refused within a second, the new one taken at once', async () => {
    const before = await server.owner();
    await before.must('get', 'users/me');
    const output = await tool.must('owner', 'reset-key');
    const after = await server.owner();
    expect(output).toContain('owner.zuliprc');
    expect(output).not.toContain(after.credentials?.key ?? 'no key');
    await after.must('get', 'users/me');
    await eventually(
      () => statusFor(before),
      (status) => status === 401,
    );
  });

  it('works on the files when no server runs, and the next start keeps that key', async () => {
    const before = await server.owner();
    await server.stop();
    await tool.must('owner', 'reset-key');
    await start();
    expect(await statusFor(await server.owner())).toBe(200);
    expect(await statusFor(before.at(server.site))).toBe(401);
  });

  it('works after the server died without warning', async () => {
    await server.kill();
    await tool.must('owner', 'reset-key');
  });
});

describe('palimpsest', () => {
  it('says what it can do', async () => {
    expect(await tool.must('--help')).toContain('owner');
    expect(await tool.must('owner', '--help')).toContain('reset-key');
    expect(await tool.run('owner', 'reset')).toMatchObject({ code: 2 });
  });
});
