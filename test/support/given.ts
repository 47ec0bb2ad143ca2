import type { Fold } from '../../src/kernel/fold.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../src/kernel/event.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';

/** 2026-01-01T00:00:00Z: the default time of a test's events. */
export const atTheTime = Date.UTC(2026, 0, 1);

const nobody: EventMetadata = {
  actorId: null,
  commandId: '00000000-0000-4000-8000-000000000000',
  causationId: null,
  client: 'test',
  at: atTheTime,
};

/** Metadata of an account's command; each has a new command id. */
export function metadataOf(actorId: number): EventMetadata {
  return { ...nobody, actorId, commandId: randomCommandId() };
}

/** A log in memory that assigns revisions and positions like a store. */
export class TestLog {
  readonly events: RecordedEvent[] = [];
  private readonly revisions = new Map<string, number>();

  /** Appends to one stream and returns the recorded events. */
  append<Event extends DomainEvent>(
    stream: string,
    events: readonly Event[],
    metadata: Partial<EventMetadata> = {},
  ): RecordedEvent<Event>[] {
    return events.map((event) => {
      const revision = (this.revisions.get(stream) ?? -1) + 1;
      this.revisions.set(stream, revision);
      const position = this.events.length;
      const id = `00000000-0000-8000-8000-${String(position).padStart(12, '0')}`;
      const facts = { id, stream, revision, position, metadata: { ...nobody, ...metadata }, erased: false };
      const recorded = { ...event, ...facts };
      this.events.push(recorded);
      return recorded;
    });
  }

  /** Folds one stream. */
  fold<State, Event extends DomainEvent>(fold: Fold<State, RecordedEvent<Event>>, stream: string): State {
    return this.events
      .filter((event) => event.stream === stream)
      .reduce((state, event) => fold.evolve(state, event as RecordedEvent<Event>), fold.initial);
  }
}

/** The row of the error table with which an action was refused; null: it was not refused. */
export function refusal(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof Error && 'row' in error) return String(error.row);
    throw error;
  }
}
