import type { RecordedEvent } from '../kernel/event.js';

/** For each event, all events of the same append, itself included. */
export function byAppend(
  events: readonly RecordedEvent[],
): ReadonlyMap<RecordedEvent, readonly RecordedEvent[]> {
  let append: RecordedEvent[] = [];
  return new Map(
    events.map((event) => {
      const last = append.at(-1);
      const isSame = last?.stream === event.stream && last.metadata.commandId === event.metadata.commandId;
      if (!isSame) append = [];
      append.push(event);
      return [event, append];
    }),
  );
}
