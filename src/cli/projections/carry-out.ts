import { checkStores } from '../../node/complete-stores.js';
import type { Configuration } from '../../config.js';
import { lockDataDirectory } from '../../node/data-directory-lock.js';
import { createLogger } from '../../http/monitoring/logger.js';
import { projectionCommands } from '../../operations/control-commands.js';
import { ServerNode } from '../../node/server-node.js';
import { openBegunStores, requireLog } from '../../stores/stores.js';
import { CommandFailedError } from '../command.js';
import type { ControlRequest } from '../../operations/control-socket.js';

/**
 * Carries out a command about read models on the files, while no server runs.
 *
 * @throws NoLogError; LogIncompleteError; CommandFailedError when there is no such command
 */
export async function carryOut(
  configuration: Configuration,
  { command, parameters = {}, onProgress = () => {} }: ControlRequest,
): Promise<unknown> {
  requireLog(configuration);
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openBegunStores(configuration);
    const node = new ServerNode(configuration, stores, createLogger('silent'));
    try {
      await checkStores(stores);
      // Models that a newer program made can be rebuilt, and nothing else can be done with them.
      await node.startProjections({ acceptNewer: command === 'projections rebuild' });
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
