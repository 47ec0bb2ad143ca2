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
  #stretches: readonly TaggedRange[] = [];

  constructor(
    /** Tags new events. */
    readonly key: TagKey,
  ) {}

  /** By position; each extends to the beginning of the next. */
  get stretches(): readonly TaggedRange[] {
    return this.#stretches;
  }

  /** Adds a stretch, which replaces the one that began at the same position. */
  begin(stretch: TaggedRange): void {
    this.#stretches = [...this.#stretches.filter(({ from }) => from < stretch.from), stretch];
  }

  /** Whether an event was written by this server, or is older than tags. */
  isGenuine(event: PersistedEvent): boolean {
    const stretch = this.#stretches.findLast(({ from }) => from <= event.position);
    return stretch === undefined || stretch.key.isWriterOf(event);
  }

  /**
   * Damaged events pass: they are marked as unreadable.
   *
   * @throws UntaggedEventError for the first event that was not written with the server's key
   */
  assertGenuine(events: readonly PersistedEvent[]): void {
    if (this.#stretches.length === 0) return;
    for (const event of events)
      if (event.unreadable === undefined && !this.isGenuine(event)) throw new UntaggedEventError(event);
  }
}
