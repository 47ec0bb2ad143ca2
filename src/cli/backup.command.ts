import { Command } from 'commander';
import { runs } from './command.js';

const PLACE = 'a folder, or s3://bucket/folder; absent: BACKUP_TO';

/** Defines `palimpsest backup`. */
export function backupCommand(): Command {
  const backup = new Command('backup')
    .enablePositionalOptions()
    .argument('[place]', PLACE)
    .summary('back up the embedded stores, also while the server runs; list, verify and try backups')
    .description(
      'Backs up the embedded stores, also while the server runs: the events since the previous backup in the same place, the keys, the credentials, new uploaded files, and the checkpoints of reactors. Read models are left out, because the next start builds them from the log. Then deletes backups whose retention period is over (BACKUP_KEEP, BACKUP_ERASED_DAYS). Messages that are erased later stay readable in the backup for anybody who also has server.key.',
    )
    .option(
      '--recipient <key>',
      'encrypt the backup to this public key of age (age1…); absent: BACKUP_RECIPIENT',
    )
    .option(
      '--with-server-key',
      'include server.key and seal.key: anybody who has the backup can then read everything',
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
    .summary('list the backups, and mark those that contain what was erased later')
    .description(
      'Lists the backups in a place, oldest first: when each was made, the position of its last event, and its size. A backup that is older than an erasure still contains what was erased, and is marked.',
    );
  runs(list, async () => (await import('./backup.js')).listBackups);
}

function verifyCommand(backup: Command): void {
  const verify = backup
    .command('verify')
    .argument('[place]', PLACE)
    .summary('read all parts of a backup and compare them with their hashes')
    .description(
      'Reads every part of a backup and compares it with the hash that was recorded. This needs no key and does not decrypt anything; "backup drill" does.',
    )
    .option('--backup <id>', 'id of the backup; absent: the newest')
    .addHelpText('after', '\nExits with 3 if parts are missing or damaged, and lists them.');
  runs(verify, async () => (await import('./backup.js')).verify);
}

function drillCommand(backup: Command): void {
  const drill = backup
    .command('drill')
    .argument('[place]', PLACE)
    .summary('test whether a backup or an export can be restored')
    .description(
      'Restores a backup, or an export, into embedded stores in a temporary folder, verifies its log like "audit verify", builds every read model from it, and deletes the folder. No reactor or job is started, so nothing is sent. Prints a verdict.',
    )
    .option('--backup <id>', 'id of the backup; absent: the newest')
    .option('--identity <file>', 'file with the secret keys of age; needed if the backup is encrypted')
    .option(
      '--server-key <file>',
      'the server.key of the backup or export; absent: the one in the backup, or SERVER_KEY_FILE',
    )
    .option(
      '--export <file>',
      'restore this file of "audit export --keys", of whatever stores, instead of a backup',
    )
    .addHelpText(
      'after',
      '\nExits with 1 if it cannot be restored, and with 3 if what was restored has faults.',
    );
  runs(drill, async () => (await import('./backup-drill.js')).drill);
}

/** Defines `palimpsest restore`. */
export function restoreCommand(): Command {
  const restore = new Command('restore')
    .argument('[place]', PLACE)
    .summary('restore a backup into an empty DATA_DIR')
    .description(
      'Verifies a backup and restores it into an empty DATA_DIR. If this was interrupted, it can be repeated. The next start builds the read models and continues from the state of the backup: e-mails and notifications that were still to be sent then are sent, even if the original server has sent them since. REACTORS=off starts the server without sending anything. Backup folders of earlier versions are restored as well.',
    )
    .option('--backup <id>', 'id of the backup; absent: the newest')
    .option('--identity <file>', 'file with the secret keys of age; needed if the backup is encrypted')
    .option(
      '--server-key <file>',
      'the server.key of the backed-up server; needed if it is neither in the backup nor in SERVER_KEY_FILE',
    );
  return runs(restore, async () => (await import('./backup.js')).restore);
}
