import { Command } from 'commander';
import { runs } from './command.js';
import { withConfirmation } from './confirmation.js';

/** The commands about the organization and its owner. */
export function ownerCommands(): Command {
  const owner = new Command('owner').description('commands for the owner of the organization');
  const resetKey = owner
    .command('reset-key')
    .summary('issue a new API key to an owner who has lost theirs')
    .description(
      'Revokes all API keys of the owner and writes a new one to owner.zuliprc in DATA_DIR. Uses the running server, or the files if no server is running.',
    );
  runs(resetKey, async () => (await import('./owner.js')).resetKey);
  const erasure = owner
    .command('erase-person')
    .argument('<who>', 'id or e-mail address of a deactivated account')
    .summary('erase a person and everything that they wrote, irreversibly')
    .description(
      'Destroys the key of a person, so that their name, address, messages and everything else that they wrote can never be read again. The hashes and seals of the log stay valid, and all read models are rebuilt. Earlier backups, and exports with keys, still contain the key. The account must be deactivated, and the server must be running.',
    );
  runs(withConfirmation(erasure), async () => (await import('./owner.js')).erasePerson);
  const reactivation = owner
    .command('reactivate-organization')
    .summary('reactivate the organization after an owner deactivated it')
    .description(
      'Reactivates the organization: everybody can log in again with their previous API key or password. The server must be running.',
    );
  runs(reactivation, async () => (await import('./owner.js')).reactivateOrganization);
  const rotation = owner
    .command('rotate-server-key')
    .summary('replace server.key with a new key')
    .description(
      'Makes a new server.key: encrypts all keys that the old key encrypted again with the new one, and records in the log from which event on tags are made with it. All processes that use these stores must be stopped. If this was interrupted, run it again to continue; until then the server does not start. Digests of addresses, tokens of links and readable API keys stay valid: their keys are kept, encrypted with the new key. Earlier backups still need the old server.key.',
    );
  runs(rotation, async () => (await import('./owner-rotate-server-key.js')).rotateKey);
  return owner;
}
