import { CommandFailedError, exitCodes, type CommandAction } from './command.js';
import { askRunningServer } from '../operations/control-socket.js';
import { operatorAccount } from './operator-account.js';
import { reactivateOrganizationCommand } from '../node/owner-command-names.js';

/** What `palimpsest owner reactivate-organization` does. */
export const reactivateOrganization: CommandAction<object> = async (
  _parameters,
  { configuration, terminal },
) => {
  const answer = await askRunningServer(configuration.dataDirectory, {
    command: reactivateOrganizationCommand,
    parameters: { operator: operatorAccount() },
  });
  if (answer === null) throw new CommandFailedError('No server runs on DATA_DIR: start it first.');
  if (!answer.ok) throw new CommandFailedError(answer.message);
  const message = String(answer.message);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};
