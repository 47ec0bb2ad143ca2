import type { ModelOperation } from '../events/operations.js';
import type { ControlCommand, ControlCommands, ControlParameters } from './control-socket.js';
import type { OperationsRecord } from './operations-record.js';
import type { ProjectionOperations } from './projection-operations.js';

/**
 * The running server's commands about read models, by name. A command that changes something is recorded in the log
 * first.
 */
export function projectionCommands(
  operations: ProjectionOperations,
  record: OperationsRecord,
): ControlCommands {
  const act =
    (operation: ModelOperation, command: ControlCommand): ControlCommand =>
    async (parameters, report) => {
      for (const projection of namesOf(parameters)) operations.assertPossible(operation, projection);
      for (const projection of namesOf(parameters)) {
        const eventId = eventOf(parameters);
        await record.note({ operation, projection, eventId }, { account: operatorOf(parameters) });
      }
      return command(parameters, report);
    };
  return {
    'projections status': { concurrent: () => operations.status() },
    'reactors status': { concurrent: () => operations.reactors() },
    'projections rebuild': {
      concurrent: act('rebuild', (parameters, report) =>
        operations.rebuild(
          namesOf(parameters),
          (parameters['eventsPerSecond'] ?? null) as number | null,
          report,
        ),
      ),
    },
    'projections rollback': {
      concurrent: act('rollback', (parameters) => operations.rollback(named(parameters))),
    },
    'projections drop': { concurrent: act('drop', (parameters) => operations.drop(named(parameters))) },
    'projections pause': act('pause', async (parameters) => operations.setPaused(named(parameters), true)),
    'projections resume': act('resume', async (parameters) => operations.setPaused(named(parameters), false)),
    'projections dead-letters': { concurrent: () => operations.deadLetters() },
    'projections retry': act('retry', (parameters) => operations.retry(namedEvent(parameters))),
    'projections restore': {
      concurrent: act('restore', (parameters, report) => operations.restore(namedEvent(parameters), report)),
    },
    'projections discard': act('discard', (parameters) => operations.discard(namedEvent(parameters))),
  };
}

/** The parameter `projection`, or all of `projections`. */
function namesOf({ projection, projections }: ControlParameters): readonly string[] {
  return projections === undefined ? [String(projection)] : (projections as readonly string[]);
}

function named({ projection }: ControlParameters): string {
  return String(projection);
}

function namedEvent(parameters: ControlParameters): {
  readonly projection: string;
  readonly id: string | null;
} {
  return { projection: named(parameters), id: eventOf(parameters) };
}

function operatorOf({ operator }: ControlParameters): string {
  return typeof operator === 'string' ? operator : 'unknown';
}

function eventOf({ event }: ControlParameters): string | null {
  return (event ?? null) as string | null;
}
