import type { EventStore } from '../../src/stores/event-store/port.js';

/** The requests to an event store: names of streams in order. */
export interface Asked {
  readonly reads: string[];
  readonly appends: string[];
}

/** Wraps an event store, and records which streams are read and appended to. */
export function countingEventStore(store: EventStore): { readonly store: EventStore; readonly asked: Asked } {
  const asked: Asked = { reads: [], appends: [] };
  const counting = Object.create(store, {
    readStream: {
      value: (...input: Parameters<EventStore['readStream']>) => {
        asked.reads.push(input[0]);
        return store.readStream(...input);
      },
    },
    append: {
      value: (...input: Parameters<EventStore['append']>) => {
        asked.appends.push(input[0]);
        return store.append(...input);
      },
    },
  }) as EventStore;
  return { store: counting, asked };
}
