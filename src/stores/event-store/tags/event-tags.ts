import type { PersistedEvent } from '../port.js';
import { UntaggedEventError } from '../codec-errors.js';
import type { TagKey } from './event-tag.js';

/** The events from a position on, which have tags under one key. */
export interface TaggedRange {
  /** Position of the first of them. */
  readonly from: number;
  readonly key: TagKey;
}

/**
 * Which tags the events of a log have. The server tags every event that it writes, and trusts no untagged event after the first position
 * with tags.
 */
export class EventTags {
  #ranges: readonly TaggedRange[] = [];

  constructor(
    /** Tags new events. */
    readonly key: TagKey,
  ) {}

  /** By position; each extends to the beginning of the next. */
  get ranges(): readonly TaggedRange[] {
    return this.#ranges;
  }

  /** Adds a range, which replaces the one that began at the same position. */
  begin(range: TaggedRange): void {
    this.#ranges = [...this.#ranges.filter(({ from }) => from < range.from), range];
  }

  /** Whether an event was written by this server, or is older than tags. */
  isGenuine(event: PersistedEvent): boolean {
    const range = this.#ranges.findLast(({ from }) => from <= event.position);
    return range === undefined || range.key.isWriterOf(event);
  }

  /**
   * Damaged events pass: they are marked as unreadable.
   *
   * @throws UntaggedEventError for the first event that was not written with the server's key
   */
  assertGenuine(events: readonly PersistedEvent[]): void {
    if (this.#ranges.length === 0) return;
    for (const event of events)
      if (event.unreadable === undefined && !this.isGenuine(event)) throw new UntaggedEventError(event);
  }
}
