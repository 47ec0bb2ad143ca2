// Builds the console, unless what it is made of is as it was when it was built last: `npm start` waits for nothing else.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(sources, '../dist/console/.sources');

/** A digest of the console's sources, and of the versions of what it is built with. */
async function digestOfSources() {
  const digest = createHash('sha256').update(await readFile(join(sources, '../package-lock.json')));
  for (const entry of (await readdir(sources, { recursive: true, withFileTypes: true })).sort(byPath)) {
    if (entry.isFile()) digest.update(pathOf(entry)).update(await readFile(pathOf(entry)));
  }
  return digest.digest('hex');
}

const pathOf = ({ parentPath, name }) => join(parentPath, name);
const byPath = (one, other) => (pathOf(one) < pathOf(other) ? -1 : 1);

const digest = await digestOfSources();
const built = existsSync(stamp) ? await readFile(stamp, 'utf8') : null;
if (built !== digest) {
  const { build } = await import('vite');
  await build({ configFile: join(sources, 'vite.config.ts'), logLevel: 'warn' });
  await writeFile(stamp, digest);
}
