import { caseCommandNames } from '../audit/cases/case-commands.js';
import { beginTagging } from '../audit/tagging/begin-tagging.js';
import {
  type ControlCommands,
  type ControlSocket,
  listenForControl,
  ownerCommandNames,
} from '../operations/control-socket.js';
import { openTracer } from '../runtime/tracing/open-tracer.js';
import { checkStores } from './complete-stores.js';
import type { Configuration } from '../config.js';
import { lockDataDirectory } from './data-directory-lock.js';
import type { Logger } from '../http/monitoring/logger.js';
import { OperatorError } from '../kernel/errors.js';
import { projectionCommands } from '../operations/control-commands.js';
import { bootstrapOrganization } from './bootstrap.js';
import type { RunningServer } from './serve.js';
import { ServerNode } from './server-node.js';
import { refuseUnfinishedImport } from '../stores/store-configuration.js';
import { openStores } from '../stores/stores.js';
import { waitForServerKey, waitForStores, whileStoresAnswer } from './wait-for-stores.js';

/** A command that needs a server that answers requests, while it is still starting. */
class StillStartingError extends OperatorError {
  override readonly name = 'StillStartingError';
  constructor() {
    super(
      'The server is still starting: "palimpsest projections status" shows how far it is; ask again then.',
    );
  }
}

/** Starts a process of the server; resolves when it answers requests. */
export async function start(
  configuration: Configuration,
  logger: Logger,
): Promise<Pick<RunningServer, 'stop'>> {
  const lock = lockDataDirectory(configuration.dataDirectory);
  refuseUnfinishedImport(configuration.dataDirectory);
  const report = (sentence: string): void => logger.warn({}, sentence);
  await waitForServerKey(configuration, report);
  await waitForStores(configuration, report);
  const stores = await openStores(configuration);
  const tracer = await openTracer(configuration.tracing, (reason) =>
    logger.warn({ reason }, 'Traces could not be exported, and are lost'),
  );
  stores.log.tracer = tracer;
  await checkStores(stores);
  const node = new ServerNode(configuration, stores, logger);
  await bootstrapOrganization(node);
  await beginTagging(node);
  let server: RunningServer | null = null;
  const control = await listen(node, () => server?.commands ?? null);
  // Loading the application takes long: meanwhile the read models catch up with the log in another thread.
  const [{ serve }] = await Promise.all([import('./serve.js'), node.start()]);
  const running = (server = await serve(node));
  return {
    stop: async (milliseconds) => {
      await control.close();
      await running.stop(milliseconds);
      await tracer?.close();
      lock.release();
      logger.info({}, 'Stopped');
    },
  };
}

/**
 * Listens before the models have caught up, so that operators can look and help if a start takes long or a
 * projection is halted.
 */
function listen(node: ServerNode, ready: () => ControlCommands | null): Promise<ControlSocket> {
  const later = ownerCommandNames.map((name): [string, ControlCommands[string]] => [
    name,
    async (parameters, report) => {
      const command = ready()?.[name];
      if (typeof command !== 'function') throw new StillStartingError();
      return command(parameters, report);
    },
  ]);
  const cases = caseCommandNames.map((name): [string, ControlCommands[string]] => [
    name,
    {
      concurrent: async (parameters, report) => {
        const command = ready()?.[name];
        if (command === undefined || typeof command === 'function') throw new StillStartingError();
        return command.concurrent(parameters, report);
      },
    },
  ]);
  // If the stores do not answer, the command fails with the reason instead of hanging.
  const status = (): Promise<unknown> =>
    whileStoresAnswer(node.configuration, () => node.operations.status());
  const commands = {
    ...projectionCommands(node.operations, node.operationsRecord),
    'projections status': { concurrent: status },
    ...node.operatorAuditAccess.commands,
    ...Object.fromEntries([...later, ...cases]),
  };
  return listenForControl(node.configuration.dataDirectory, commands);
}
