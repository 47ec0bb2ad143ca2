import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { launchServer, readySite } from '../support/server.js';

const run = promisify(execFile);

describe('The bill of materials', () => {
  it('names every library that the program is run with, and none that it is tested with', async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { maxBuffer: 16 * 1_048_576 });
    const { bomFormat, components } = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Readonly<Record<string, string>>
    >;
    const names = new Set(components.map(({ name }) => name));
    expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
    expect(['jest', 'eslint', 'playwright-core'].filter((name) => name in devDependencies)).toHaveLength(3);
    expect(['jest', 'eslint', 'playwright-core'].filter((name) => names.has(name))).toEqual([]);
  });
});

describe('The package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
    await run('npm', ['run', '--silent', 'pack:lock']);
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
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'deploy',
      'dist/console',
      'dist/package-lock.json',
      'dist/projections',
      'dist/src',
      'docs',
      'package.json',
    ]);
  });

  it('has the versions of its libraries, for an installation that takes just these', async () => {
    const { packages } = JSON.parse(await readFile('dist/package-lock.json', 'utf8')) as {
      readonly packages: Readonly<
        Record<string, { readonly dependencies: object; readonly version: string }>
      >;
    };
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly dependencies: object;
    };
    expect(packages['']!.dependencies).toEqual(dependencies);
    const installed = JSON.parse(await readFile('node_modules/fastify/package.json', 'utf8')) as object;
    expect(installed).toHaveProperty('version', packages['node_modules/fastify']!.version);
  });

  it('starts the server by its one command, from what is in it alone', async () => {
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, '--json']);
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
    // What npm would install beside it: the same libraries.
    await symlink(resolve('node_modules'), join(folder, 'package', 'node_modules'));
    const { bin } = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8')) as {
      readonly bin: { readonly palimpsest: string };
    };
    const entry = join(folder, 'package', bin.palimpsest);
    const server = launchServer(join(folder, 'data'), {}, [entry, 'serve']);
    const exit = once(server, 'exit');
    const site = await readySite(server, []);
    await eventually(
      async () => (await fetch(`${site}/health/ready`)).status,
      (status) => status === 200,
    );
    server.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
