import { CommandFailedError, exitCodes, type CommandAction } from './command.js';
import { askRunningServer } from './control-socket.js';
import { erasePersonCommand } from './owner-command-names.js';

/** What the command line says for `palimpsest owner erase-person`. */
export interface ErasePersonParameters {
  /** An id or an e-mail address. */
  readonly who: string;
}

/** What `palimpsest owner erase-person` does. */
export const erasePerson: CommandAction<ErasePersonParameters> = async (
  { who },
  { configuration, terminal },
) => {
  const request = { command: erasePersonCommand, parameters: { person: who } };
  const answer = await askRunningServer(configuration.dataDirectory, request);
  if (answer === null) throw new CommandFailedError('No server runs on DATA_DIR: start it first.');
  if (!answer.ok) throw new CommandFailedError(answer.message);
  const message = String(answer.message);
  await terminal.print(terminal.json ? JSON.stringify({ message }) : message);
  return exitCodes.done;
};
