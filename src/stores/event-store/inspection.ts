import type { EventStore, PersistedEvent } from './port.js';

/** Something that stands where an event should be, and cannot be read as one. */
export interface LogDamage {
  /** Null: it is known only that something is damaged. */
  readonly position: number | null;
  readonly reason: string;
}

/** A stretch of the log as an auditor finds it. */
export interface InspectedPage {
  readonly events: readonly PersistedEvent[];
  readonly damage: readonly LogDamage[];
  /** Everything up to here was looked at. */
  readonly position: number;
}

/** Reads a log that somebody may have tampered with: what is damaged is told, and what follows it is read all the same. */
export interface LogInspection {
  /** Whether positions follow each other without a gap, so that a gap tells that something is missing. */
  readonly dense: boolean;
  head(): Promise<number | null>;
  /** What no checkpoint is ahead of, where nothing is gone from the end; `last`: position of the last event that was found. */
  end(last: number | null): Promise<number | null>;
  pages(): AsyncIterable<InspectedPage>;
  close(): Promise<void>;
}

/** A log whose store keeps its own files: EventStoreDB verifies its chunks by itself. */
export function inspectStore(store: EventStore): LogInspection {
  return {
    dense: false,
    head: () => store.head(),
    // The store's own events count: followers of the log pass them.
    end: () => store.head({ withSystemEvents: true }),
    async *pages() {
      for await (const { events, position } of store.readAll({ after: null }))
        yield { events, damage: [], position };
    },
    close: () => store.close(),
  };
}
