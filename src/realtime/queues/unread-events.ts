import type { WrittenEvent } from '../client-event.js';
import type { Ledger } from './held.js';

/** An event with its id in a queue. */
interface UnreadEvent {
  readonly id: number;
  readonly event: WrittenEvent;
  /**
   * Client events from all log positions up to this one come before it in the queue; Infinity: it is not from
   * the log.
   */
  readonly after: number;
}

/**
 * The events of a queue that its client has not acknowledged, by rising ids; gaps are changes that were
 * merged into later ones.
 */
export class UnreadEvents {
  private readonly entries: UnreadEvent[] = [];
  private total = 0;

  /** @param ledger accounts for the memory of the events */
  constructor(private ledger: Ledger) {}

  get length(): number {
    return this.entries.length;
  }

  /** Size of the events' texts. */
  get bytes(): number {
    return this.total;
  }

  get all(): readonly UnreadEvent[] {
    return this.entries;
  }

  /** Log position up to which the client has all events; Infinity: it has all that exist. */
  get acknowledgedThrough(): number {
    return this.entries.reduce((min, { after }) => Math.min(min, after), Infinity);
  }

  add(entry: UnreadEvent): void {
    this.entries.push(entry);
    this.total += entry.event.bytes;
    this.ledger.add(entry.event);
  }

  /** @returns the removed event; undefined: there is none with that id */
  remove(id: number): UnreadEvent | undefined {
    const index = this.indexOf(id);
    return this.entries[index]?.id === id ? this.drop(index, 1)[0] : undefined;
  }

  removeThrough(id: number): void {
    this.drop(0, this.indexOf(id + 1));
  }

  removeOfMessage(messageId: number): void {
    for (let index = this.entries.length - 1; index >= 0; index -= 1) {
      if (this.entries[index]?.event.messageId === messageId) this.drop(index, 1);
    }
  }

  clear(): void {
    this.drop(0, this.entries.length);
  }

  /** Moves the accounting of its memory to another ledger. */
  countFor(ledger: Ledger): void {
    for (const { event } of this.entries) {
      this.ledger.remove(event);
      ledger.add(event);
    }
    this.ledger = ledger;
  }

  /** The index of the first event whose id is at least `id`; the number of events when there is none. */
  private indexOf(id: number): number {
    let [from, to] = [0, this.entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.entries[middle]?.id ?? Infinity) < id) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private drop(index: number, count: number): UnreadEvent[] {
    const dropped = this.entries.splice(index, count);
    for (const { event } of dropped) {
      this.total -= event.bytes;
      this.ledger.remove(event);
    }
    return dropped;
  }
}
