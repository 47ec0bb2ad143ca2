import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchServer, readySite } from '../support/server.js';

const run = promisify(execFile);

describe('The package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds the built program and its documents, and no tests', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
    const [packed] = JSON.parse(stdout) as readonly {
      readonly files: readonly { readonly path: string }[];
    }[];
    const paths = packed!.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'dist/src/cli/main.js']));
    const folders = new Set(
      paths.map((path) =>
        path
          .split('/')
          .slice(0, path.startsWith('dist') ? 2 : 1)
          .join('/'),
      ),
    );
    expect([...folders].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'deploy',
      'dist/console',
      'dist/projections',
      'dist/src',
      'docs',
      'package.json',
    ]);
  });

  it('starts the server by its one command', async () => {
    const server = launchServer(folder, {}, [resolve('dist/src/cli/main.js'), 'serve']);
    const exit = once(server, 'exit');
    const site = await readySite(server, []);
    expect((await fetch(`${site}/health/ready`)).status).toBe(200);
    server.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
