import type { EventPage, PersistedEvent } from '../port.js';

/** How much of the end of the log is kept in memory: more than a follower that has just caught up can lag. */
const MAX_EVENTS = 2_048;
const MAX_CHARACTERS = 8_388_608;

/** What a follower of the log asks for. */
export interface LiveRange {
  readonly after: number;
  /** Null: every type. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
}

/**
 * The last events of the log, as the one live reader of a process got them: whoever follows the log takes them from here at their own
 * pace. Bounded: who is too slow finds that what comes next is not here any more.
 */
export class LiveEvents {
  #events: PersistedEvent[] = [];
  #sizes: number[] = [];
  #characters = 0;
  #end: number;
  #isLive = false;
  #isOver = false;

  /** @param start everything after this position is going to be here */
  constructor(private start: number) {
    this.#end = start;
  }

  /** Everything up to here was here. */
  get end(): number {
    return this.#end;
  }

  /** Whether nothing comes any more. */
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

  /** Nothing comes any more, and nothing is kept. */
  endAll(): void {
    this.#isOver = true;
    this.#events = [];
    this.#sizes = [];
    this.start = Infinity;
  }

  /** Whether everything that comes after a position is still here. */
  covers(position: number): boolean {
    return position >= this.start;
  }

  /** The page behind a position that is covered. */
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

/** Roughly the characters that a value takes as JSON. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const member of Object.values(value)) size += 8 + sizeOf(member);
  return size;
}
