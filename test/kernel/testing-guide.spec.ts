import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const guide = readFileSync('docs/testing.md', 'utf8');

/** Variables that every process has. */
const ordinary = new Set(['PATH']);

function sources(): readonly string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('test', file), 'utf8'));
}

it('The guide names every variable that the tests read', () => {
  const read = sources().flatMap((source) =>
    [...source.matchAll(/process\.env\['(\w+)'\]/g)].map(([, name]) => name!),
  );
  const missing = [...new Set(read)].filter((name) => !ordinary.has(name) && !guide.includes(`\`${name}`));
  expect(read.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});

it('The guide points at files that exist', () => {
  const named = [...guide.matchAll(/`((?:test|src)\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
