import { resolve } from 'node:path';
import { Command } from 'commander';
import { lockDataDirectory } from '../data-directory-lock.js';
import { makeBackup } from '../operations/backup/make-backup.js';
import type { Manifest } from '../operations/backup/manifest.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { exitCodes, runs } from './command.js';
import type { Terminal } from './terminal.js';

interface BackupParameters {
  readonly directory: string;
}

/** `palimpsest backup` */
export function backupCommand(): Command {
  const backup = new Command('backup')
    .argument('<directory>', 'a new folder')
    .summary('copy the embedded stores, while the server goes on')
    .description(
      'Copies the embedded stores into a new folder, while the server goes on: the log, the keys, the credentials, uploaded files, and how far reactors have come. Read models are left out: the next start builds them. The backup holds server.key, the keys of what people wrote and the credentials: whoever has it can read everything, and what is erased later stays readable in it. Keep it accordingly.',
    );
  return runs<BackupParameters>(backup, async ({ directory }, { configuration, terminal }) => {
    const madeAt = new Date().toISOString();
    const onProgress = (file: string): void => terminal.say(`Copying ${file}`);
    const manifest = await makeBackup({ configuration, directory: resolve(directory), madeAt, onProgress });
    await tell(manifest, terminal, `Backed up to ${directory}, with the keys and credentials: keep it safe.`);
    return exitCodes.done;
  });
}

/** `palimpsest restore` */
export function restoreCommand(): Command {
  const restore = new Command('restore')
    .argument('<directory>', 'a folder that "backup" made')
    .summary('restore a backup into an empty DATA_DIR')
    .description(
      'Verifies a backup, and copies it into a DATA_DIR that has no log yet. The next start builds the read models and goes on where the backup was made.',
    );
  return runs<BackupParameters>(restore, async ({ directory }, { configuration, terminal }) => {
    const lock = lockDataDirectory(configuration.dataDirectory);
    try {
      const onProgress = (file: string): void => terminal.say(`Restoring ${file}`);
      const manifest = await restoreBackup({ configuration, directory: resolve(directory), onProgress });
      await tell(manifest, terminal, `Restored the backup of ${manifest.madeAt}.`);
      return exitCodes.done;
    } finally {
      lock.release();
    }
  });
}

async function tell(manifest: Manifest, terminal: Terminal, message: string): Promise<void> {
  await terminal.print(terminal.json ? JSON.stringify(manifest) : message);
}
