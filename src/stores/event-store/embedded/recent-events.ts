import type { JsonObject } from '../../../kernel/json.js';
import type { EventPage, PersistedEvent } from '../port.js';
import type { SerializedEvent } from '../validate-append.js';
import type { Place } from './log-file.js';

/** An event as a commit wrote it. */
export interface CommittedEvent extends SerializedEvent, Place {}

/**
 * How many events are kept beside those of the last commit: followers that are further behind look into the file. They are few, so
 * that they are gone before the garbage collector counts them among what stays.
 */
const EARLIER_EVENTS = 32;

/** How many characters of data are kept. */
const MAX_CHARACTERS = 500_000;

/** What a follower of the log asks for. */
export interface RecentRange {
  readonly after: number;
  /** The end of the log. */
  readonly end: number;
  /** Null: every type. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
}

/** An event that is parsed when the first follower wants it, once for all of them. */
interface KeptEvent {
  readonly committed: CommittedEvent;
  parsed: PersistedEvent | null;
}

/**
 * The events that were committed last, for the followers of the log in the same thread: each of them would read and parse
 * again what has just been written. Events never change, so nothing here can be out of date.
 */
export class RecentEvents {
  readonly #events: KeptEvent[] = [];
  #characters = 0;

  /** Takes note of a commit. What was known before a gap is forgotten. */
  add(events: readonly CommittedEvent[]): void {
    const last = this.#events.at(-1);
    const follows = last === undefined || last.committed.position + 1 === events[0]?.position;
    this.#trim(follows ? EARLIER_EVENTS : 0);
    for (const committed of events) {
      this.#events.push({ committed, parsed: null });
      this.#characters += committed.data.length;
    }
    this.#trim(this.#events.length);
  }

  /** The page behind a position; null when not everything from there to the end is kept. */
  page({ after, end, types, limit }: RecentRange): EventPage | null {
    const first = this.#events[0]?.committed.position;
    if (first === undefined || after + 1 < first || this.#events.at(-1)?.committed.position !== end)
      return null;
    const events: PersistedEvent[] = [];
    for (let index = after + 1 - first; index < this.#events.length && events.length < limit; index += 1) {
      const kept = this.#events[index]!;
      if (types === null || types.has(kept.committed.type))
        events.push((kept.parsed ??= parse(kept.committed)));
    }
    const position = events.length === limit ? events.at(-1)!.position : end;
    return { events, position, live: position >= end };
  }

  #trim(maxEvents: number): void {
    while (this.#events.length > maxEvents || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#events.shift()!.committed.data.length;
    }
  }
}

function parse({ data, metadata, hash: _hash, ...event }: CommittedEvent): PersistedEvent {
  return { ...event, data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as JsonObject };
}
