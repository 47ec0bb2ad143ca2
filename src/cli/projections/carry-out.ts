import type { Configuration } from '../../config.js';
import { createLogger } from '../../http/monitoring/logger.js';
import { ServerNode } from '../../node/server-node.js';
import { projectionCommands } from '../../operations/control-commands.js';
import type { ControlRequest } from '../../operations/control-socket.js';
import { CommandFailedError } from '../command.js';
import { withStoresHere } from '../with-stores.js';

/**
 * Carries out a command about read models on the files, while no server runs.
 *
 * @throws NoLogError; LogIncompleteError; CommandFailedError when there is no such command
 */
export function carryOut(
  configuration: Configuration,
  { command, parameters = {}, onProgress = () => {} }: ControlRequest,
): Promise<unknown> {
  return withStoresHere(configuration, async (stores) => {
    const node = new ServerNode(configuration, stores, createLogger('silent'));
    try {
      // Models of a newer program version can only be rebuilt.
      await node.startProjections({ acceptNewer: command === 'projections rebuild' });
      const known = projectionCommands(node.operations, node.operationsRecord)[command];
      if (known === undefined) throw new CommandFailedError(`There is no command "${command}".`);
      return await (typeof known === 'function' ? known : known.concurrent)(parameters, onProgress);
    } finally {
      await node.stop();
    }
  });
}
