import { CaseHoldLifted, CaseHoldPlaced, type CaseScope } from '../../events/cases.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { LogNotes } from './log-notes.js';

/** A legal hold, and what it covers. */
export interface Hold {
  readonly caseId: number;
  readonly scope: CaseScope;
  /** Null: any text. */
  readonly words: string | null;
}

const holdEvents = [CaseHoldPlaced, CaseHoldLifted] as const;

/**
 * The holds that stood at any position of the log. They depend only on the log, so the answer is the same whoever
 * asks, and however often or late. A deletion is kept by the holds that were placed before it and lifted after it.
 */
export class Holds {
  private readonly notes: LogNotes<RecordedEvent>;

  constructor(log: EventLog) {
    this.notes = new LogNotes({
      store: log.store,
      types: holdEvents.map(({ type }) => type),
      read: (events) => log.decode(events),
    });
  }

  /** The holds that stood right after the event at a position. */
  async at(position: number): Promise<readonly Hold[]> {
    const active = new Map<number, Hold>();
    for (const event of await this.notes.through(position)) {
      if (isEvent(event, CaseHoldPlaced)) {
        const { caseId, scope, words } = event.data;
        active.set(caseId, { caseId, scope, words });
      }
      if (isEvent(event, CaseHoldLifted)) active.delete(event.data.caseId);
    }
    return [...active.values()];
  }
}
