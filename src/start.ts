import { checkStores } from './complete-stores.js';
import type { Configuration } from './config.js';
import { lockDataDirectory } from './data-directory-lock.js';
import type { Logger } from './http/operations/logger.js';
import { bootstrapOrganization } from './organization/bootstrap.js';
import type { RunningServer } from './serve.js';
import { ServerNode } from './server-node.js';
import { openStores } from './stores.js';

/** Starts a process of the server; resolves when it answers requests. */
export async function start(configuration: Configuration, logger: Logger): Promise<RunningServer> {
  const lock = lockDataDirectory(configuration.dataDirectory);
  const stores = await openStores(configuration);
  await checkStores(stores);
  const node = new ServerNode(configuration, stores, logger);
  await bootstrapOrganization(node);
  // The application takes long to load: meanwhile the read models, in a thread of their own, catch up with the log.
  const [{ serve }] = await Promise.all([import('./serve.js'), node.start()]);
  const server = await serve(node);
  return {
    stop: async (milliseconds) => {
      await server.stop(milliseconds);
      lock.release();
      logger.info({}, 'Stopped');
    },
  };
}
