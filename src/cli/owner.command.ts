import { Command } from 'commander';
import { runs } from './command.js';
import { withConfirmation } from './confirmation.js';

/** The commands about the organization and its owner. */
export function ownerCommands(): Command {
  const owner = new Command('owner').description('the organization’s owner');
  const resetKey = owner
    .command('reset-key')
    .summary('make a new API key for an owner who lost theirs')
    .description(
      'Revokes every API key of the owner and writes a new one to owner.zuliprc in DATA_DIR: through the running server, or on the files themselves when none runs.',
    );
  runs(resetKey, async () => (await import('./owner.js')).resetKey);
  const erasure = owner
    .command('erase-person')
    .argument('<who>', 'id or e-mail address of an account that was deactivated')
    .summary('erase who a person was and what they wrote, for good')
    .description(
      'Destroys the key of a person, so that their name, address, messages and everything else they wrote can never be read again: in the log, whose hashes and seals still verify, and in every read model, all of which are rebuilt. Backups and exports that hold keys keep them. The account must be deactivated, and the server must run.',
    );
  runs(withConfirmation(erasure), async () => (await import('./owner.js')).erasePerson);
  const reactivation = owner
    .command('reactivate-organization')
    .summary('let people in again after an owner deactivated the organization')
    .description(
      'Makes the organization active again: everybody is let in with the keys and passwords that they had. The server must run.',
    );
  runs(reactivation, async () => (await import('./owner.js')).reactivateOrganization);
  const rotation = owner
    .command('rotate-server-key')
    .summary('replace server.key by a new one')
    .description(
      'Makes a new server.key: wraps every key that the old one wrapped under the new one, and records in the log from which event on tags are under it. Every process on these stores must be stopped. What was cut off goes on when it is given again; until then nothing starts. Digests of addresses, tokens of links and readable API keys go on under keys that are kept under the new one. Backups made before need the server.key that they hold.',
    );
  runs(rotation, async () => (await import('./owner-rotate-server-key.js')).rotateKey);
  return owner;
}
