import type { PersistedEvent } from '../port.js';
import { UntaggedEventError } from '../codec-errors.js';
import type { TagKey } from './event-tag.js';

/** From a position on, events carry tags under a key. */
export interface TaggedStretch {
  /** Position of the first event that has one. */
  readonly from: number;
  readonly key: TagKey;
}

/**
 * Which tags the events of a log carry: the server writes every event with one, and believes none without it from the position
 * on from which they stand.
 */
export class EventTags {
  #stretches: readonly TaggedStretch[] = [];

  constructor(
    /** Tags what is written. */
    readonly key: TagKey,
  ) {}

  /** By position; each holds until the next one begins. */
  get stretches(): readonly TaggedStretch[] {
    return this.#stretches;
  }

  /** Adds what holds from a position on, instead of what held there before. */
  begin(stretch: TaggedStretch): void {
    this.#stretches = [...this.#stretches.filter(({ from }) => from < stretch.from), stretch];
  }

  /** Whether an event was written by this server, or stands before tags did. */
  isGenuine(event: PersistedEvent): boolean {
    const stretch = this.#stretches.findLast(({ from }) => from <= event.position);
    return stretch === undefined || stretch.key.isWriterOf(event);
  }

  /**
   * Damaged events pass: they say by themselves that they cannot be read.
   *
   * @throws UntaggedEventError for the first event that nobody with the server's key wrote
   */
  assertGenuine(events: readonly PersistedEvent[]): void {
    if (this.#stretches.length === 0) return;
    for (const event of events)
      if (event.unreadable === undefined && !this.isGenuine(event)) throw new UntaggedEventError(event);
  }
}
