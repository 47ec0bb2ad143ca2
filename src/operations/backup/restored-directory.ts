import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Configuration } from '../../config.js';
import { unfinishedRestoreFile } from '../../stores/store-configuration.js';
import { BackupRefusedError } from './manifest.js';

/** Files that a mounted file system or this process's lock creates in a directory. */
const alwaysThere = /^lost\+found$|^lock\.sqlite/;

/** @throws BackupRefusedError */
export function refuseServersHere({
  eventStoreUrl,
  mongodbUrl,
}: Pick<Configuration, 'eventStoreUrl' | 'mongodbUrl'>): void {
  if (eventStoreUrl === null && mongodbUrl === null) return;
  throw new BackupRefusedError(
    'A backup is restored into embedded stores: unset EVENTSTORE_URL and MONGODB_URL.',
  );
}

/**
 * Marks an empty directory as the target of a restore, so that no server starts there.
 *
 * @param identity identifies the backup: an interrupted restore of the same backup is continued
 * @throws BackupRefusedError when the directory contains anything else
 */
export async function beginRestore(dataDirectory: string, identity: string): Promise<void> {
  await refuseUsed(dataDirectory, identity);
  await using handle = await open(unfinishedRestoreFile(dataDirectory), 'w', 0o600);
  await handle.writeFile(identity);
  await handle.sync();
}

async function refuseUsed(dataDirectory: string, identity: string): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const found = (await readdir(dataDirectory)).filter((name) => !alwaysThere.test(name));
  if (found.length === 0) return;
  const marker = unfinishedRestoreFile(dataDirectory);
  if (!found.includes(basename(marker))) {
    throw new BackupRefusedError(
      `DATA_DIR ${dataDirectory} is not empty (${found[0]} is there): name a new directory.`,
    );
  }
  if ((await readFile(marker, 'utf8')) === identity) return;
  throw new BackupRefusedError(
    `A restore of another backup into DATA_DIR ${dataDirectory} was cut off: finish that one, or name a new directory.`,
  );
}
