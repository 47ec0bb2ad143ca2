import { randomUUID } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncToDisk } from './data-directory.js';

/**
 * Creates a file that only its owner can read, with its whole content or not at all, even if the process dies or the
 * disk is full. A file that exists is kept: processes that start concurrently all use the one that was created first.
 */
export async function createWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeDurably(draft, content);
    // Unlike a rename, a link never replaces a file: the first one stays.
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
  }
  await syncToDisk(dirname(file));
}

async function writeDurably(file: string, content: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
