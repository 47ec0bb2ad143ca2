import { Command } from 'commander';
import { runs } from './command.js';

const PLACE = 'a folder, or s3://bucket/folder; absent: BACKUP_TO';

/** Defines `palimpsest backup`. */
export function backupCommand(): Command {
  const backup = new Command('backup')
    .enablePositionalOptions()
    .argument('[place]', PLACE)
    .summary('copy the embedded stores, while the server goes on; list, verify and try backups')
    .description(
      'Copies the embedded stores, while the server goes on: what the log gained since the last backup in that place, the keys, the credentials, new uploaded files, and how far reactors have come. Read models are left out: the next start builds them. Then backups go that have had their time (BACKUP_KEEP, BACKUP_ERASED_DAYS). What is erased later stays readable in a backup, for whoever also has server.key.',
    )
    .option('--recipient <key>', 'encrypt it to a public key of age: age1…; absent: BACKUP_RECIPIENT')
    .option(
      '--with-server-key',
      'put server.key and seal.key into it: whoever has it can then read everything',
    );
  runs(backup, async () => (await import('./backup.js')).backUp);
  listCommand(backup);
  verifyCommand(backup);
  drillCommand(backup);
  return backup;
}

function listCommand(backup: Command): void {
  const list = backup
    .command('list')
    .argument('[place]', PLACE)
    .summary('list backups, and those that still hold what was erased')
    .description(
      'Lists the backups in a place, oldest first: when they were made, how far the log had come, what they consist of. One that is older than an erasure still holds what was erased, and is marked.',
    );
  runs(list, async () => (await import('./backup.js')).listBackups);
}

function verifyCommand(backup: Command): void {
  const verify = backup
    .command('verify')
    .argument('[place]', PLACE)
    .summary('read a backup through, and compare it with what was written')
    .description(
      'Reads every part of a backup and compares it with what was written. It needs no key, and does not look into what is encrypted: "backup drill" does.',
    )
    .option('--backup <id>', 'which one; absent: the newest')
    .addHelpText('after', '\nExits with 3 when anything is missing or damaged: each is named.');
  runs(verify, async () => (await import('./backup.js')).verify);
}

function drillCommand(backup: Command): void {
  const drill = backup
    .command('drill')
    .argument('[place]', PLACE)
    .summary('try whether a backup could be restored')
    .description(
      'Restores a backup into a folder for temporary files, verifies its log as "audit verify" does, builds every read model from it, and removes the folder. Nothing is started that sends anything. Prints a verdict.',
    )
    .option('--backup <id>', 'which one; absent: the newest')
    .option('--identity <file>', 'secret keys of age, where it is encrypted')
    .option('--server-key <file>', 'absent: the one in the backup, or SERVER_KEY_FILE')
    .addHelpText('after', '\nExits with 3 when anything is amiss.');
  runs(drill, async () => (await import('./backup-drill.js')).drill);
}

/** Defines `palimpsest restore`. */
export function restoreCommand(): Command {
  const restore = new Command('restore')
    .argument('[place]', PLACE)
    .summary('restore a backup into an empty DATA_DIR')
    .description(
      'Verifies a backup, and puts it into an empty DATA_DIR. One that was cut off can be repeated. The next start builds the read models and goes on where the backup was made: what had not been sent then is sent, also where the server that it is of has sent it since. REACTORS=off starts it silent. Folders that earlier versions made are restored as well.',
    )
    .option('--backup <id>', 'which one; absent: the newest')
    .option('--identity <file>', 'secret keys of age, where it is encrypted')
    .option('--server-key <file>', 'the server.key that it was made under, where that is not in it');
  return runs(restore, async () => (await import('./backup.js')).restore);
}
