import { operatorAccount } from '../operator-account.js';
import type { Configuration } from '../../config.js';
import { CommandFailedError } from '../command.js';
import { askRunningServer, type ControlRequest } from '../../operations/control-socket.js';

/**
 * Has a command about read models carried out: by the running server, or, when none runs, here.
 *
 * @throws CommandFailedError
 */
export async function ask(configuration: Configuration, asked: ControlRequest): Promise<unknown> {
  const request = { ...asked, parameters: { ...asked.parameters, operator: operatorAccount() } };
  const answer = await askRunningServer(configuration.dataDirectory, request);
  if (answer === null) return (await import('./carry-out.js')).carryOut(configuration, request);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return answer.message;
}
