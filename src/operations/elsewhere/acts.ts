import type { ModelOperation } from '../../events/operations.js';
import type { Signal } from '../../realtime/signals/signal-exchange.js';
import type { ProjectionOperations } from '../projection-operations.js';
import type { RebuildProgress } from '../rebuilds.js';

/** An act of an operator on a read model or a reactor. */
export interface Act {
  readonly operation: Exclude<ModelOperation, 'verify' | 'drop-snapshots'>;
  /** The read model, or the reactor as `reactor:<name>`. */
  readonly projection: string;
  readonly eventId: string | null;
  /** For `rebuild`: the most events a second; null: no limit. */
  readonly eventsPerSecond: number | null;
}

export type ReportRebuild = (progress: RebuildProgress) => void;

/** Asks a process to carry out an act. */
export interface ActSignal extends Signal {
  readonly type: 'act';
  readonly id: string;
  /** The only process that may take it up. */
  readonly to: string;
  readonly act: Act;
}

/** Tells what became of an act. It is repeated while the act is being carried out, as a sign of life. */
export interface ActAnswerSignal extends Signal {
  readonly type: 'act-answer';
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: RebuildProgress | null;
  /** The result as plain JSON: see {@link carryOut}. Null unless it is done. */
  readonly result: unknown;
  /** Why it failed, as a sentence; null: it has not. */
  readonly reason: string | null;
}

/** Carries out an act in this process. The result is plain JSON. */
export async function carryOut(
  operations: ProjectionOperations,
  { operation, projection, eventId: id, eventsPerSecond }: Act,
  report: ReportRebuild,
): Promise<unknown> {
  switch (operation) {
    case 'rebuild':
      return (await operations.rebuild([projection], eventsPerSecond, report))[0]?.version;
    case 'rollback':
      return operations.rollback(projection);
    case 'drop':
      return operations.drop(projection);
    case 'pause':
    case 'resume':
      await operations.setPaused(projection, operation === 'pause');
      return null;
    case 'retry':
      return operations.retry({ projection, id });
    case 'discard':
      return operations.discard({ projection, id });
    case 'restore':
      return operations.restore({ projection, id }, report);
  }
}
