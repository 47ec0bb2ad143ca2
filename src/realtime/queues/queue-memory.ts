/** Something that takes memory while it is in a queue. */
interface QueuedItem {
  readonly bytes: number;
}

/** Counts the memory of everything that is in queues. */
export interface MemoryCounter {
  add(item: QueuedItem): void;
  remove(item: QueuedItem): void;
}

/** Memory that a queue takes for each event in addition to the event itself, in bytes: its id and a reference. */
const ENTRY_BYTES = 16;

/** Memory that an event takes in addition to its text, in bytes. */
const EVENT_BYTES = 100;

/** Memory of all queues of the process; an event that many of them share counts once. */
export class ProcessMemory implements MemoryCounter {
  private readonly holders = new Map<QueuedItem, number>();
  private total = 0;

  get bytes(): number {
    return this.total;
  }

  add(item: QueuedItem): void {
    const holders = this.holders.get(item) ?? 0;
    this.holders.set(item, holders + 1);
    this.total += ENTRY_BYTES + (holders === 0 ? EVENT_BYTES + item.bytes : 0);
  }

  remove(item: QueuedItem): void {
    const holders = this.holders.get(item) ?? 0;
    if (holders > 1) this.holders.set(item, holders - 1);
    else this.holders.delete(item);
    this.total -= ENTRY_BYTES + (holders === 1 ? EVENT_BYTES + item.bytes : 0);
  }
}

/** Memory of the queues of one account, or of a person with all their bots, each counted as if it shared nothing. */
export class AccountMemory implements MemoryCounter {
  private total = 0;

  /** @param wider accounts for everything that this one does */
  constructor(private readonly wider: MemoryCounter) {}

  get bytes(): number {
    return this.total;
  }

  add(item: QueuedItem): void {
    this.total += ENTRY_BYTES + EVENT_BYTES + item.bytes;
    this.wider.add(item);
  }

  remove(item: QueuedItem): void {
    this.total -= ENTRY_BYTES + EVENT_BYTES + item.bytes;
    this.wider.remove(item);
  }
}
