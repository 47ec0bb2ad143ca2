import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The source of every spec except this one, without comments. */
async function specs(): Promise<string> {
  const files = await readdir('test', { recursive: true });
  const names = files.filter(
    (name) => name.endsWith('.spec.ts') && name !== join('kernel', 'budgets.spec.ts'),
  );
  const sources = await Promise.all(names.map((name) => readFile(join('test', name), 'utf8')));
  return sources.join('\n').replaceAll(comments, '');
}

/** Whether a source reads the maximum of a budget, or expects its refusal: a test that only names the budget does neither. */
function testsLimit(source: string, budget: string): boolean {
  const read = [
    `budgets\\.${budget}\\.(?:max|over)\\b`,
    `\\{[^{}]*\\bmax\\b[^{}]*\\} = budgets\\.${budget};`,
    `const (\\w+) = budgets\\.${budget};[\\s\\S]*\\b\\1\\.max\\b`,
  ];
  return new RegExp(read.join('|')).test(source);
}

it('Every budget has a test that goes to its limit', async () => {
  const source = await specs();
  expect(Object.keys(budgets).filter((name) => !testsLimit(source, name))).toEqual([]);
});

it('A spec that only names a budget is no test of it', () => {
  expect(testsLimit('expect(answer).toBe(refusal); budgets.drafts;', 'drafts')).toBe(false);
  expect(testsLimit('const { max } = budgets.drafts;', 'drafts')).toBe(true);
  expect(testsLimit('const { max } = budgets.reminders; budgets.drafts;', 'drafts')).toBe(false);
});
