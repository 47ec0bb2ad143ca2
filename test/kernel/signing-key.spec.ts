import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { loadSigningKey, publicKeyText } from '../../src/audit/sealing/signing-key.js';
import { createWhole } from '../../src/runtime/durable-file.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-key-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('concurrent first uses make one key, which only its owner can read', async () => {
  const loaded = await Promise.all(Array.from({ length: 8 }, () => loadSigningKey(directory)));
  expect(new Set(loaded.map(publicKeyText)).size).toBe(1);
  expect(publicKeyText(await loadSigningKey(directory))).toBe(publicKeyText(loaded[0]!));
  expect((await stat(join(directory, 'seal.key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['seal.key']);
});

it('a file that was not written whole is no key, and none is left by a failure', async () => {
  await expect(createWhole(join(directory, 'missing', 'seal.key'), 'a key')).rejects.toThrow('ENOENT');
  await createWhole(join(directory, 'kept'), 'first');
  await createWhole(join(directory, 'kept'), 'second');
  expect(await readFile(join(directory, 'kept'), 'utf8')).toBe('first');
  expect(await readdir(directory)).toEqual(['kept']);
  await writeFile(join(directory, 'seal.key'), '');
  await expect(loadSigningKey(directory)).rejects.toThrow(/is empty.+remove the file/);
  await writeFile(join(directory, 'seal.key'), 'no key');
  await expect(loadSigningKey(directory)).rejects.toThrow(/cannot be read/);
});
