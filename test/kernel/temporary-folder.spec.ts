import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ts from 'typescript';

let folder: string;
let temporary: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-folders-'));
  temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const source = await readFile('src/runtime/temporary-folder.ts', 'utf8');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  await writeFile(join(folder, 'temporary-folder.mjs'), outputText);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A process that makes a folder with a file, tells its path, and then does what the script says. */
async function started(then: string): Promise<{ readonly child: ChildProcess; readonly path: string }> {
  const script = `
    import { makeTemporaryFolder } from './temporary-folder.mjs';
    import { writeFileSync } from 'node:fs';
    const made = makeTemporaryFolder('test');
    writeFileSync(made.path + '/content', 'Said.');
    console.log(made.path);
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [path] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, path };
}

const lasting = 'setInterval(() => {}, 1000);';

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends the process and removes its folder',
  async (signal) => {
    const { child, path } = await started(lasting);
    expect(existsSync(join(path, 'content'))).toBe(true);
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(existsSync(path)).toBe(false);
  },
);

it('process.exit removes it, and the process can remove it before', async () => {
  const { child, path } = await started('setTimeout(() => process.exit(3), 100);');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(existsSync(path)).toBe(false);
  const other = await started('await made.remove();');
  expect(await once(other.child, 'exit')).toEqual([0, null]);
  expect(existsSync(other.path)).toBe(false);
});

it('a process that ends in order at a signal keeps its folder until then', async () => {
  const { child, path } = await started(
    `process.once('SIGTERM', () => setTimeout(() => { console.log('ending'); process.exit(0); }, 50)); ${lasting}`,
  );
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(path)).toBe(false);
});

it('the next use removes what dead processes left, and nothing else', async () => {
  const living = await started(lasting);
  const killed = await started(lasting);
  const ended = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await ended;
  expect(existsSync(killed.path)).toBe(true);
  // The folder of an earlier process with the id of one that runs.
  const reused = join(temporary, `palimpsest-test-${living.child.pid}.1-abcdef`);
  await mkdir(reused);
  await mkdir(join(temporary, 'palimpsest-other-abcdef'));
  const dead = spawnSync(process.execPath, ['--eval', '']).pid;
  await writeFile(join(temporary, `palimpsest-test-${dead}.1-abcdef`), 'a file');
  const { child } = await started('');
  await once(child, 'exit');
  const left = [
    living.path,
    join(temporary, 'palimpsest-other-abcdef'),
    join(temporary, `palimpsest-test-${dead}.1-abcdef`),
  ];
  expect((await readdir(temporary)).map((name) => join(temporary, name)).toSorted()).toEqual(left.toSorted());
  living.child.kill('SIGKILL');
  await once(living.child, 'exit');
});
