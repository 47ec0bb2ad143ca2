import { Command } from 'commander';
import { runs } from './command.js';

/** `palimpsest backup` */
export function backupCommand(): Command {
  const backup = new Command('backup')
    .argument('<directory>', 'a new folder')
    .summary('copy the embedded stores, while the server goes on')
    .description(
      'Copies the embedded stores into a new folder, while the server goes on: the log, the keys, the credentials, uploaded files, and how far reactors have come. Read models are left out: the next start builds them. The backup holds server.key, the keys of what people wrote and the credentials: whoever has it can read everything, and what is erased later stays readable in it. Keep it accordingly.',
    );
  return runs(backup, async () => (await import('./backup.js')).backUp);
}

/** `palimpsest restore` */
export function restoreCommand(): Command {
  const restore = new Command('restore')
    .argument('<directory>', 'a folder that "backup" made')
    .summary('restore a backup into an empty DATA_DIR')
    .description(
      'Verifies a backup, and copies it into an empty DATA_DIR. One that was cut off can be repeated. The next start builds the read models and goes on where the backup was made.',
    );
  return runs(restore, async () => (await import('./backup.js')).restore);
}
