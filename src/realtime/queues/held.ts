/** Something that takes memory while a queue holds it. */
export interface Held {
  readonly bytes: number;
}

/** Told of everything that a queue comes to hold, and of everything that it drops. */
export interface Ledger {
  add(item: Held): void;
  remove(item: Held): void;
}

/** What a queue takes for each event that it holds, in bytes: its id and a reference. */
const ENTRY_BYTES = 16;

/** What an event takes beside its text, in bytes. */
const EVENT_BYTES = 100;

/** What all queues of the process take, an event that many of them hold counted once. */
export class HeldByProcess implements Ledger {
  private readonly holders = new Map<Held, number>();
  private total = 0;

  get bytes(): number {
    return this.total;
  }

  add(item: Held): void {
    const holders = this.holders.get(item) ?? 0;
    this.holders.set(item, holders + 1);
    this.total += ENTRY_BYTES + (holders === 0 ? EVENT_BYTES + item.bytes : 0);
  }

  remove(item: Held): void {
    const holders = this.holders.get(item) ?? 0;
    if (holders > 1) this.holders.set(item, holders - 1);
    else this.holders.delete(item);
    this.total -= ENTRY_BYTES + (holders === 1 ? EVENT_BYTES + item.bytes : 0);
  }
}

/** What the queues of one account take, each as if it were the only one. */
export class HeldByAccount implements Ledger {
  private total = 0;

  constructor(private readonly process: Ledger) {}

  get bytes(): number {
    return this.total;
  }

  add(item: Held): void {
    this.total += ENTRY_BYTES + EVENT_BYTES + item.bytes;
    this.process.add(item);
  }

  remove(item: Held): void {
    this.total -= ENTRY_BYTES + EVENT_BYTES + item.bytes;
    this.process.remove(item);
  }
}
