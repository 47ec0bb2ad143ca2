import type { Configuration } from '../../config.js';
import { lockDataDirectory } from '../../data-directory-lock.js';
import { createLogger } from '../../http/operations/logger.js';
import { projectionCommands } from '../../operations/control-commands.js';
import { ServerNode } from '../../server-node.js';
import { openStores } from '../../stores.js';
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
  if (answer === null) return carryOut(configuration, request);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return answer.message;
}

async function carryOut(
  configuration: Configuration,
  { command, parameters = {}, onProgress = () => {} }: ControlRequest,
): Promise<unknown> {
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openStores(configuration);
    const node = new ServerNode(configuration, stores, createLogger('silent'));
    try {
      await node.startProjections();
      const known = projectionCommands(node.operations)[command];
      if (known === undefined) throw new CommandFailedError(`There is no command "${command}".`);
      return await (typeof known === 'function' ? known : known.beside)(parameters, onProgress);
    } finally {
      await node.stop();
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
