import type { EventStore } from '../../src/stores/event-store/port.js';

/** What was asked of an event store, as names of streams in the order in which it was asked. */
export interface Asked {
  readonly reads: string[];
  readonly appends: string[];
}

/** The same event store, which notes what is read from single streams and appended to them. */
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
