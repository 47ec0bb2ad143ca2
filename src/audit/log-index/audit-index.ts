import { Injectable } from '@nestjs/common';
import { auditIndexModel } from '../../contexts/audit-index/read-model.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { ApplicationError } from '../../kernel/errors.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import type { EventReference } from '../../../projections/engine/poison-event.js';
import { GivenUpEvents } from './given-up-events.js';
import type { MovedMessage } from './moved-message.js';

/** The index of the log, and the events that it lacks. */
export interface OpenAuditIndex {
  readonly model: ModelStore;
  /** Events that operators had the index skip, in log order. */
  readonly givenUp: readonly EventReference[];
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
    private readonly givenUp: GivenUpEvents,
  ) {}

  /** Null: the index was never built to its end; it is built in the background. */
  async open(): Promise<OpenAuditIndex | null> {
    try {
      const model = await this.models.get(auditIndexModel.name, auditIndexModel.collections);
      return { model, givenUp: await this.givenUp.of(auditIndexModel.name) };
    } catch (error) {
      if (error instanceof ApplicationError && error.row === 'unavailable') return null;
      throw error;
    }
  }
}
