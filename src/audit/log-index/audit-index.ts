import { OperatorSettings, type DiscardedEvent } from '../../../projections/engine/operator-settings.js';
import type { EventReference } from '../../../projections/engine/poison-event.js';
import { auditIndexModel } from '../../contexts/audit-index/read-model.js';
import { ApplicationError } from '../../kernel/errors.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import type { Direction, PositionRange } from './common-entries.js';

/** Knows which events operators had read models skip, so that what is read from such a model lacks them. */
@Injectable()
export class DiscardedEvents {
  private readonly settings: OperatorSettings;

  constructor({ readStore }: ServingModels) {
    this.settings = new OperatorSettings(readStore);
  }

  /** The events that a model skipped, in log order. */
  async of(model: string): Promise<readonly DiscardedEvent[]> {
    const { discarded } = await this.settings.of(model);
    return discarded.toSorted((one, other) => one.position - other.position);
  }
}

/** Moves that included a message. */
export interface FoundMoves {
  /** Positions of their events, in the direction of the request. */
  readonly positions: readonly number[];
  /** Whether there are no more in the requested range. */
  readonly isAll: boolean;
}

/**
 * Finds the moves that included a message. Each of their events concerns many messages and names one of them at most.
 */
export interface MovedMessage {
  /** Finds moves between two positions, both included. @param limit maximum number */
  movesWithin(
    range: PositionRange,
    extent: { readonly direction: Direction; readonly limit: number },
  ): Promise<FoundMoves>;
}

/** The index of the log, and the events that it lacks. */
export interface OpenAuditIndex {
  readonly model: ModelStore;
  /** Events that operators had the index skip, in log order. */
  readonly discarded: readonly EventReference[];
}

/** The log, and the index by which its events are found. */
export interface IndexedLog {
  readonly log: EventLog;
  readonly index: OpenAuditIndex;
  readonly deadline: QueryDeadline;
  /** Finds the moves of the requested message; absent: only moves that name it are found. */
  readonly moved?: MovedMessage;
}

/** Opens the index of the log when it is complete enough to be read. */
@Injectable()
export class AuditIndex {
  constructor(
    private readonly models: ServingModels,
    private readonly discarded: DiscardedEvents,
  ) {}

  /** Null: the index was never built to its end; it is built in the background. */
  async open(): Promise<OpenAuditIndex | null> {
    try {
      const model = await this.models.get(auditIndexModel.name, auditIndexModel.collections);
      return { model, discarded: await this.discarded.of(auditIndexModel.name) };
    } catch (error) {
      if (error instanceof ApplicationError && error.row === 'unavailable') return null;
      throw error;
    }
  }
}
