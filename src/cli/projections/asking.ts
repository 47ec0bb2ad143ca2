import type { Configuration } from '../../config.js';
import { CommandFailedError } from '../command.js';
import { askRunningServer, type ControlRequest } from '../control-socket.js';

/**
 * Has a command about read models carried out: by the running server, or, when none runs, here, by what a server would run
 * beside its requests.
 *
 * @throws CommandFailedError
 */
export async function ask(configuration: Configuration, request: ControlRequest): Promise<unknown> {
  const answer = await askRunningServer(configuration.dataDirectory, request);
  if (answer === null) {
    // Everything that follows the log is behind it: only who finds no server loads it.
    const { carryOut } = await import('./carry-out.js');
    return carryOut(configuration, request);
  }
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return answer.message;
}
