import { budgets } from '../../kernel/budgets.js';
import { writeClientEvent, type ClientEvent, type WrittenEvent } from '../client-event.js';
import type { MemoryCounter } from './queue-memory.js';
import { FLAGS_EVENT_TYPE, isMergeable, MergedFlags, type FlagsEvent } from './merged-flags.js';

/** The place of an event in a queue. */
interface QueuePlace {
  readonly id: number;
  /**
   * Client events from all log positions up to this one come before it in the queue; Infinity: it is not from
   * the log.
   */
  readonly after: number;
}

/** An event with its place in a queue. */
interface UnreadEvent extends QueuePlace {
  readonly event: WrittenEvent;
}

/** A change of a flag that was not delivered yet: further changes are merged into it. */
interface OpenChange {
  readonly id: number;
  readonly changes: MergedFlags;
}

/**
 * The events of a queue that its client has not acknowledged, by rising ids; gaps are changes that were
 * merged into later ones.
 */
export class UnreadEvents {
  private readonly entries: UnreadEvent[] = [];
  /** Undelivered flag changes that can be merged, by flag. */
  private readonly open = new Map<string, OpenChange>();
  private total = 0;

  /** @param counter accounts for the memory of the events */
  constructor(private counter: MemoryCounter) {}

  get length(): number {
    return this.entries.length;
  }

  /** Size of the events' texts. */
  get bytes(): number {
    return this.total;
  }

  /** Log position up to which the client has all events; Infinity: it has all that exist. */
  get acknowledgedThrough(): number {
    return this.entries.reduce((min, { after }) => Math.min(min, after), Infinity);
  }

  /** Adds an event, or merges a change of a flag into earlier ones that were not delivered yet. */
  push(event: ClientEvent, place: QueuePlace): void {
    if (isMergeable(event)) return this.merge(event, place);
    // A flag change must not be merged into one from before its opposite.
    if (event.type === FLAGS_EVENT_TYPE) this.open.delete(String(event['flag']));
    this.add({ ...place, event: writeClientEvent(event) });
  }

  /**
   * As many of the first events as fit into a reply, at least one. Nothing is merged into them any more. They never end within the span of
   * merged flag changes: the client would acknowledge the first of them unread.
   */
  forReply(): readonly UnreadEvent[] {
    this.open.clear();
    let bytes = 0;
    const tooMany = this.entries.findIndex(({ event }, index) => {
      bytes += event.bytes;
      return index > 0 && bytes > budgets.eventReplyBytes.max;
    });
    return tooMany === -1 ? this.entries : this.entries.slice(0, this.afterMerged(tooMany));
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

  /** Moves the accounting of its memory to another counter. */
  countFor(counter: MemoryCounter): void {
    for (const { event } of this.entries) {
      this.counter.remove(event);
      counter.add(event);
    }
    this.counter = counter;
  }

  private merge(event: FlagsEvent, { id, after }: QueuePlace): void {
    const { flag } = event;
    const open = this.open.get(flag);
    const merges = open?.changes.isLike(event) === true;
    const before = merges ? this.remove(open.id) : undefined;
    const changes = merges ? open.changes : new MergedFlags(event, id);
    if (merges) changes.add(event);
    this.open.set(flag, { id, changes });
    this.add({ id, after: before?.after ?? after, event: changes });
  }

  private add(entry: UnreadEvent): void {
    this.entries.push(entry);
    this.total += entry.event.bytes;
    this.counter.add(entry.event);
  }

  /** @returns the removed event; undefined: there is none with that id */
  private remove(id: number): UnreadEvent | undefined {
    const index = this.indexOf(id);
    return this.entries[index]?.id === id ? this.drop(index, 1)[0] : undefined;
  }

  /** The first index, from the given one on, after which no event contains a merged change that was made before an event in front of it. */
  private afterMerged(from: number): number {
    let end = from;
    for (let index = from; index < this.entries.length; index += 1) {
      const { event } = this.entries[index]!;
      if (event instanceof MergedFlags && event.firstId < this.entries[end - 1]!.id) end = index + 1;
    }
    return end;
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
      this.counter.remove(event);
    }
    return dropped;
  }
}
