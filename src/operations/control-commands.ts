import type { ControlCommands, ControlParameters } from './control-socket.js';
import type { ProjectionOperations } from './projection-operations.js';

/** What the running server knows the commands about read models by. */
export function projectionCommands(operations: ProjectionOperations): ControlCommands {
  return {
    'projections status': { beside: () => operations.status() },
    'reactors status': { beside: () => operations.reactors() },
    'projections rebuild': {
      beside: ({ projections, eventsPerSecond }, report) =>
        operations.rebuild(
          projections as readonly string[],
          (eventsPerSecond ?? null) as number | null,
          report,
        ),
    },
    'projections rollback': { beside: (parameters) => operations.rollback(named(parameters)) },
    'projections drop': { beside: (parameters) => operations.drop(named(parameters)) },
    'projections pause': async (parameters) => operations.setPaused(named(parameters), true),
    'projections resume': async (parameters) => operations.setPaused(named(parameters), false),
    'projections dead-letters': { beside: () => operations.deadLetters() },
    'projections retry': (parameters) => operations.retry(named(parameters)),
    'projections restore': {
      beside: ({ projection, event }, report) =>
        operations.restore({ projection: String(projection), id: (event ?? null) as string | null }, report),
    },
    'projections discard': async (parameters) => operations.discard(named(parameters)),
  };
}

function named({ projection }: ControlParameters): string {
  return String(projection);
}
