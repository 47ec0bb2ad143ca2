import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';

/** The folder in which `.ci/run` unpacks programs that it does not install; where it is set, no program may be missing. */
const unpacked = process.env['DEPLOY_TOOLS'] ?? '';

/** The path of an installed program; null: not installed. */
function program(name: string): string | null {
  const folders = [
    unpacked,
    `${unpacked}/usr/bin`,
    `${unpacked}/usr/sbin`,
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
  ];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** A test that needs an external program. Without the program it is skipped, and its name says why; with `DEPLOY_TOOLS`, it fails. */
export function itWith(name: string, title: string, test: (file: string) => Promise<void>): void {
  const file = program(name);
  if (file === null && unpacked !== '') throw new Error(`There is no ${name} in ${unpacked} (DEPLOY_TOOLS)`);
  if (file === null) it.skip(`${title} (NOT RUN: needs ${name})`, () => undefined);
  else it(title, () => test(file));
}
