import { resolve } from 'node:path';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { makeBackup } from '../operations/backup/make-backup.js';
import type { Manifest } from '../operations/backup/manifest.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { exitCodes, type CommandAction } from './command.js';
import type { Terminal } from './terminal.js';

/** What the command line says for `palimpsest backup` and `palimpsest restore`. */
export interface BackupParameters {
  readonly directory: string;
}

/** What `palimpsest backup` does. */
export const backUp: CommandAction<BackupParameters> = async ({ directory }, { configuration, terminal }) => {
  const madeAt = new Date().toISOString();
  const onProgress = (file: string): void => terminal.say(`Copying ${file}`);
  const manifest = await makeBackup({ configuration, directory: resolve(directory), madeAt, onProgress });
  await tell(manifest, terminal, `Backed up to ${directory}, with the keys and credentials: keep it safe.`);
  return exitCodes.done;
};

/** What `palimpsest restore` does. */
export const restore: CommandAction<BackupParameters> = async (
  { directory },
  { configuration, terminal },
) => {
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const onProgress = (file: string): void => terminal.say(`Restoring ${file}`);
    const manifest = await restoreBackup({ configuration, directory: resolve(directory), onProgress });
    await tell(manifest, terminal, `Restored the backup of ${manifest.madeAt}.`);
    return exitCodes.done;
  } finally {
    lock.release();
  }
};

async function tell(manifest: Manifest, terminal: Terminal, message: string): Promise<void> {
  await terminal.print(terminal.json ? JSON.stringify(manifest) : message);
}
