import type { EventPage, PersistedEvent } from '../port.js';

/** How much of the end of the log is in memory: more than the usual lag of a follower that has caught up. */
const MAX_EVENTS = 2_048;
const MAX_CHARACTERS = 8_388_608;

/** What a follower of the log requests. */
interface LiveRange {
  readonly after: number;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
}

/**
 * The last events of the log, from the one live reader of a process. Followers take pages at their own pace. The number of events is
 * limited: a follower that is too slow finds that its next events were dropped.
 */
export class LiveEvents {
  #events: PersistedEvent[] = [];
  #sizes: number[] = [];
  #characters = 0;
  #end: number;
  #isLive = false;
  #isOver = false;

  /** @param start events after this position will be kept */
  constructor(private start: number) {
    this.#end = start;
  }

  /** Position of the last event received. */
  get end(): number {
    return this.#end;
  }

  /** Whether the reader has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add({ events, position, live }: EventPage): void {
    for (const event of events) {
      const size = sizeOf(event.data);
      this.#events.push(event);
      this.#sizes.push(size);
      this.#characters += size;
    }
    this.#end = position;
    this.#isLive = live;
    this.#trim();
  }

  /** Ends it and drops all events. */
  endAll(): void {
    this.#isOver = true;
    this.#events = [];
    this.#sizes = [];
    this.start = Infinity;
  }

  /** Whether all events after a position are still kept. */
  covers(position: number): boolean {
    return position >= this.start;
  }

  /** The page after a position, which must be covered. */
  page({ after, types, limit }: LiveRange): EventPage {
    let index = this.#events.length;
    while (index > 0 && this.#events[index - 1]!.position > after) index -= 1;
    const events: PersistedEvent[] = [];
    for (; index < this.#events.length && events.length < limit; index += 1) {
      const event = this.#events[index]!;
      if (types === null || types.has(event.type)) events.push(event);
    }
    const isWhole = index === this.#events.length;
    const position = isWhole ? Math.max(after, this.#end) : events.at(-1)!.position;
    return { events, position, live: isWhole && this.#isLive && this.#end >= after };
  }

  #trim(): void {
    let surplus = Math.max(0, this.#events.length - MAX_EVENTS);
    for (let index = 0; index < this.#events.length; index += 1) {
      if (index >= surplus && this.#characters <= MAX_CHARACTERS) break;
      this.#characters -= this.#sizes[index]!;
      surplus = Math.max(surplus, index + 1);
    }
    if (surplus === 0) return;
    this.start = this.#events[surplus - 1]!.position;
    this.#events.splice(0, surplus);
    this.#sizes.splice(0, surplus);
  }
}

/** Approximate number of characters of a value as JSON. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const member of Object.values(value)) size += 8 + sizeOf(member);
  return size;
}
