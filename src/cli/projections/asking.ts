import { operatorAccount } from '../operator-account.js';
import type { Configuration } from '../../config.js';
import { CommandFailedError } from '../command.js';
import { askRunningServer, type ControlRequest } from '../../operations/control-socket.js';

/**
 * Carries out a command about read models in the running server or, if none runs, in this process.
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
