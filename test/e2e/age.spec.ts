import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itWith } from '../support/external-programs.js';
import { blocksOf, runCommands } from '../support/guides.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-age-'));
  server = await TestServer.start({ directory: join(folder, 'data'), stores: ServerStores.embedded() });
  const key = await readFile(join(server.directory, 'server.key'));
  await writeFile(join(folder, 'server.key'), key, { mode: 0o600 });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The commands of docs/deploy.md under a heading in which a program is called. */
async function shown(heading: string, program: string): Promise<string> {
  const blocks = (await blocksOf('docs/deploy.md')).filter((block) => block.heading === heading);
  const [block, ...others] = blocks.filter(({ text }) => new RegExp(`\\b${program} `).test(text));
  expect(others).toEqual([]);
  return block!.text;
}

describe('The programs of age', () => {
  itWith('age', 'make the key pair of backups, and encrypt and decrypt an export', async (age) => {
    const PATH = `${dirname(age)}:${process.env['PATH'] ?? ''}`;
    const run = (commands: string, environment: Readonly<Record<string, string>>): Promise<string> =>
      runCommands(commands, { folder, environment: { PATH, DATA_DIR: server.directory, ...environment } });
    await run(await shown('Backups', 'age-keygen'), {});
    const identity = await readFile(join(folder, 'palimpsest-backup.txt'), 'utf8');
    const [recipient] = /age1[a-z0-9]+/.exec(identity)!;

    const commands = (await shown('An encrypted export', 'age')).replaceAll('age1…', recipient);
    expect(await run(commands, {})).toContain('Nothing is amiss.');
    expect(await readFile(join(folder, 'backup.age'), 'latin1')).toMatch(/^age-encryption\.org\/v1\n/);

    const backups = { BACKUP_TO: join(folder, 'nightly'), BACKUP_RECIPIENT: recipient };
    await run('palimpsest backup', backups);
    const drill = 'palimpsest backup drill --identity palimpsest-backup.txt --server-key server.key';
    expect(await run(drill, backups)).toContain('Nothing is amiss.');
  });
});
