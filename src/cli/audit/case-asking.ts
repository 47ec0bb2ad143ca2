import { caseCommands } from '../../audit/cases/case-commands.js';
import { Cases } from '../../audit/cases/cases.js';
import { AuditAccess } from '../../audit/commands/audit-access.js';
import type { Configuration } from '../../config.js';
import { ConsistentLog } from '../../http/consistency.js';
import { Decisions } from '../../http/decisions.js';
import { createLogger } from '../../http/monitoring/logger.js';
import { ServerNode } from '../../node/server-node.js';
import type { ControlRequest } from '../../operations/control-socket.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { CommandFailedError } from '../command.js';
import { withStoresHere } from '../with-stores.js';

/**
 * Carries out a command about cases on the files, while no server runs.
 *
 * @param use receives the answer before the stores are closed, which also removes the files that the command created
 * @throws NoLogError; LogIncompleteError
 */
export function carryOutHere<Result>(
  configuration: Configuration,
  { command, parameters = {}, onProgress = () => {} }: ControlRequest,
  use: (answer: unknown) => Promise<Result>,
): Promise<Result> {
  return withStoresHere(configuration, async (stores) => {
    const node = new ServerNode(configuration, stores, createLogger('silent'));
    try {
      await node.start();
      const streams = new FoldedStreams(stores.log);
      const decisions = new Decisions(streams, node.follower, node.clock, new ConsistentLog(stores.log, []));
      const known = caseCommands({
        cases: new Cases(decisions, new AuditAccess(decisions)),
        tasks: node.threads.caseTasks,
        access: node.operatorAuditAccess,
      })[command];
      if (known === undefined) throw new CommandFailedError(`There is no command "${command}".`);
      return await use(await known.concurrent(parameters, onProgress));
    } finally {
      await node.stop();
    }
  });
}
