import { Command } from 'commander';
import { erasePersonCommand } from '../erasure/erase-person.js';
import { publicUrl, type Configuration } from '../config.js';
import { lockDataDirectory } from '../data-directory-lock.js';
import { resetOwnerKey } from '../organization/owner-key.js';
import { openStores } from '../stores.js';
import { SystemClock } from '../system-clock.js';
import { CommandFailedError, exitCodes, runs } from './command.js';
import { askRunningServer } from './control-socket.js';

/** What the running server knows the command by. */
export const resetOwnerKeyCommand = 'owner reset-key';

/** What concerns the organization's owner. */
export function ownerCommands(): Command {
  const owner = new Command('owner').description('the organization’s owner');
  const resetKey = owner
    .command('reset-key')
    .summary('make a new API key for an owner who lost theirs')
    .description(
      'Revokes every API key of the owner and writes a new one to owner.zuliprc in DATA_DIR: through the running server, or on the files themselves when none runs.',
    );
  runs<object>(resetKey, async (_parameters, { configuration, terminal }) => {
    const message = await recoverKey(configuration);
    await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
    return exitCodes.done;
  });
  const erasure = owner
    .command('erase-person')
    .argument('<who>', 'id or e-mail address of an account that was deactivated')
    .summary('erase who a person was and what they wrote, for good')
    .description(
      'Destroys the key of a person, so that their name, address, messages and everything else they wrote can never be read again: in the log, whose hashes and seals still verify, and in every read model, all of which are rebuilt. Backups and exports that hold keys keep them. The account must be deactivated, and the server must run.',
    );
  runs<{ readonly who: string }>(erasure, async ({ who }, { configuration, terminal }) => {
    const request = { command: erasePersonCommand, parameters: { person: who } };
    const answer = await askRunningServer(configuration.dataDirectory, request);
    if (answer === null) throw new CommandFailedError('No server runs on DATA_DIR: start it first.');
    if (!answer.ok) throw new CommandFailedError(answer.message);
    const message = String(answer.message);
    await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
    return exitCodes.done;
  });
  return owner;
}

async function recoverKey(configuration: Configuration): Promise<string> {
  const answer = await askRunningServer(configuration.dataDirectory, resetOwnerKeyCommand);
  if (answer === null) return resetOffline(configuration);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return String(answer.message);
}

/** What the operator is told: where the key is, and never the key. */
export function resetMessage(file: string): string {
  return `The owner has a new API key: ${file}. Every earlier one is revoked.`;
}

async function resetOffline(configuration: Configuration): Promise<string> {
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openStores(configuration);
    try {
      await stores.vault.checkServerKey();
      const options = { configuration, stores, clock: new SystemClock() };
      return resetMessage(await resetOwnerKey(options, publicUrl(configuration)));
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
