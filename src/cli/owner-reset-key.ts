import type { Configuration } from '../config.js';
import { CommandFailedError, exitCodes, type CommandAction } from './command.js';
import { askRunningServer } from '../operations/control-socket.js';
import { resetOwnerKeyCommand } from '../node/owner-command-names.js';

/** What `palimpsest owner reset-key` does. */
export const resetKey: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
  const message = await recoverKey(configuration);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};

async function recoverKey(configuration: Configuration): Promise<string> {
  const answer = await askRunningServer(configuration.dataDirectory, resetOwnerKeyCommand);
  if (answer === null) return (await import('./owner-reset-key-here.js')).resetKeyHere(configuration);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return String(answer.message);
}
