import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
    });
    expect([code, told]).toEqual([1, expect.stringMatching(sentence)]);
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
