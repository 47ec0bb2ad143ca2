import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { Direction } from './common-entries.js';

type LoggedEvent = RecordedEvent | UnreadableEvent;

/** Events of a page that the search of the index does not find, to be inserted between those that it finds. */
export class InsertedEvents {
  private readonly events: LoggedEvent[];
  private readonly step: 1 | -1;

  constructor(events: readonly LoggedEvent[], direction: Direction) {
    this.step = direction === 'forwards' ? 1 : -1;
    this.events = events.toSorted((one, other) => (one.position - other.position) * this.step);
  }

  /** Removes and returns those before a position, in the direction of the page; null: all the rest. */
  before(position: number | null): readonly LoggedEvent[] {
    if (position === null) return this.events.splice(0);
    const first = this.events.findIndex((event) => (event.position - position) * this.step >= 0);
    return this.events.splice(0, first === -1 ? this.events.length : first);
  }
}
