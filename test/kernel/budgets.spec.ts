import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';

/** The source of every spec except this one. */
async function specs(): Promise<string> {
  const files = await readdir('test', { recursive: true });
  const names = files.filter(
    (name) => name.endsWith('.spec.ts') && name !== join('kernel', 'budgets.spec.ts'),
  );
  return (await Promise.all(names.map((name) => readFile(join('test', name), 'utf8')))).join('\n');
}

it('Every budget has a test that goes to its limit', async () => {
  const source = await specs();
  const untested = Object.keys(budgets).filter((name) => !new RegExp(`budgets\\.${name}\\b`).test(source));
  expect(untested).toEqual([]);
});
