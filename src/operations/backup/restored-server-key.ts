import { accessSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncToDisk } from '../../runtime/data-directory.js';
import { serverKeyId } from './make-backup.js';
import { BackupRefusedError } from './manifest.js';

/** Whether a key's file is there. One that this user may not read is there. */
export function isKeyPresent(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * Checks that the configured file (`SERVER_KEY_FILE`) can get the key of a backup: a key is never overwritten.
 *
 * @param id of the key of the backup
 * @throws BackupRefusedError when another key is there, or one that cannot be read
 */
export async function refuseOtherServerKey(configured: string, id: string): Promise<void> {
  if (!isKeyPresent(configured)) return;
  refuseUnreadableKey(configured);
  if ((await serverKeyId(configured)) === id) return;
  throw new BackupRefusedError(
    `${configured} holds another key than that of the backup: move it away, or name another file in SERVER_KEY_FILE.`,
  );
}

/**
 * Checks that the file of a key can be read.
 *
 * @throws BackupRefusedError when it is absent, or may not be read
 */
export function refuseUnreadableKey(file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new BackupRefusedError(`There is no file ${file}.`);
    throw new BackupRefusedError(`The file ${file} cannot be read (${code}).`);
  }
}

/**
 * Puts the key of a backup into the configured file, unless it is there already. The file is complete or does not exist.
 *
 * @param write writes the key to a file
 */
export async function putServerKey(
  configured: string,
  write: (file: string) => Promise<void>,
): Promise<void> {
  if (isKeyPresent(configured)) return;
  await mkdir(dirname(configured), { recursive: true, mode: 0o700 });
  const draft = `${configured}.restored`;
  await write(draft);
  await chmod(draft, 0o600);
  await syncToDisk(draft);
  await rename(draft, configured);
  await syncToDisk(dirname(configured));
}
