import type { EventStore, PersistedEvent } from './port.js';

/** Data in place of an event that cannot be read as one. */
export interface LogDamage {
  /** Null: only the fact of the damage is known. */
  readonly position: number | null;
  readonly reason: string;
}

/** A page of the log as an auditor reads it. */
export interface InspectedPage {
  readonly events: readonly PersistedEvent[];
  readonly damage: readonly LogDamage[];
  /** Position up to which the log was read. */
  readonly position: number;
}

/** Reads a log that may have been tampered with: damage is reported, and reading continues after it. */
export interface LogInspection {
  /** Whether positions are contiguous, so that a gap means that an event is missing. */
  readonly dense: boolean;
  /** True: nothing of the log can be read, which its only page says. Absent: it can be read, apart from damage. */
  readonly isUnreadable?: true;
  head(): Promise<number | null>;
  /** A position that no checkpoint exceeds unless events were removed from the end; `last`: position of the last event found. */
  end(last: number | null): Promise<number | null>;
  pages(): AsyncIterable<InspectedPage>;
  close(): Promise<void>;
}

/** For logs whose store keeps files of its own: EventStoreDB verifies its chunks by itself. */
export function inspectStore(store: EventStore): LogInspection {
  return {
    dense: false,
    head: () => store.head(),
    // Includes the store's own events, because checkpoints may be at their positions.
    end: () => store.head({ withSystemEvents: true }),
    async *pages() {
      for await (const { events, position } of store.readAll({ after: null }))
        yield { events, damage: [], position };
    },
    close: () => store.close(),
  };
}
