import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const run = promisify(execFile);

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-guides-'));
  // What the guides show is for embedded stores.
  server = await TestServer.start({ stores: ServerStores.embedded() });
  const owner = await server.owner();
  const password = 'mauve-loom-1843';
  await owner.must('post', 'users', { email: 'ada@example.com', password, full_name: 'Ada Quill' });
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await owner.must('post', 'users/me/subscriptions', { subscriptions });
  for (const content of ['Ready.', 'Finished.']) {
    await owner.must('post', 'messages', { type: 'channel', to: 'engines', topic: 'notes', content });
  }
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['audit', 'operate'])('docs/%s.md', (name) => {
  it('shows commands that work as they are written', async () => {
    const guide = await readFile(`docs/${name}.md`, 'utf8');
    const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('');
    expect(commands.match(/^palimpsest /gm)?.length).toBeGreaterThan(5);
    const entry = resolve('dist/src/cli/main.js');
    const script = `palimpsest() { "${process.execPath}" "${entry}" "$@"; }\n${commands}`;
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: server.directory };
    const { stdout } = await run('bash', ['-e', '-u', '-c', script], { cwd: folder, env });
    expect(stdout).toContain('Nothing is amiss.');
  }, 300_000);
});
