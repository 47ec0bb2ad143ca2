import type { JsonObject } from '../../../kernel/json.js';
import type { EventPage, PersistedEvent } from '../port.js';
import type { SerializedEvent } from '../validate-append.js';
import type { Place } from './log-file.js';

/** A committed event. */
export interface CommittedEvent extends SerializedEvent, Place {}

/**
 * How many events are kept beside those of the last commit. Followers that are further behind read the file. The number is small, so that
 * the events are freed before the garbage collector promotes them.
 */
const EARLIER_EVENTS = 32;

/** Maximum number of characters of data that are kept. */
const MAX_CHARACTERS = 500_000;

/** What a follower of the log requests. */
interface RecentRange {
  readonly after: number;
  /** Position of the log's end. */
  readonly end: number;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
}

/** An event that is parsed once, when the first follower needs it. */
interface KeptEvent {
  readonly committed: CommittedEvent;
  parsed: PersistedEvent | null;
}

/**
 * A cache of the last committed events for followers in the same thread, which would otherwise read and parse them again. Events never
 * change, so the cache is never stale.
 */
export class RecentEvents {
  readonly #events: KeptEvent[] = [];
  #characters = 0;

  /** Adds a commit. Events before a gap are dropped. */
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

  /**
   * The page after a position; null: the cache does not have everything up to the end, or the end is before that
   * position. The latter happens when a follower has read a commit from the file before it was announced.
   */
  page({ after, end, types, limit }: RecentRange): EventPage | null {
    const first = this.#events[0]?.committed.position;
    if (first === undefined || after + 1 < first || after > end) return null;
    if (this.#events.at(-1)?.committed.position !== end) return null;
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
