/** Pseudo-random numbers that are the same each time: mulberry32. */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 (inclusive) to a bound (exclusive). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** Like `below`, but small numbers are much more frequent, as in the distributions of words, authors and topics. */
  skewedBelow(bound: number): number {
    return Math.floor(bound ** this.fraction()) - 1;
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}
