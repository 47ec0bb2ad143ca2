import { Command } from 'commander';
import { runs } from './command.js';

/** What concerns the organization's owner. */
export function ownerCommands(): Command {
  const owner = new Command('owner').description('the organization’s owner');
  const resetKey = owner
    .command('reset-key')
    .summary('make a new API key for an owner who lost theirs')
    .description(
      'Revokes every API key of the owner and writes a new one to owner.zuliprc in DATA_DIR: through the running server, or on the files themselves when none runs.',
    );
  runs(resetKey, async () => (await import('./owner-reset-key.js')).resetKey);
  const erasure = owner
    .command('erase-person')
    .argument('<who>', 'id or e-mail address of an account that was deactivated')
    .summary('erase who a person was and what they wrote, for good')
    .description(
      'Destroys the key of a person, so that their name, address, messages and everything else they wrote can never be read again: in the log, whose hashes and seals still verify, and in every read model, all of which are rebuilt. Backups and exports that hold keys keep them. The account must be deactivated, and the server must run.',
    );
  runs(erasure, async () => (await import('./owner-erase-person.js')).erasePerson);
  return owner;
}
