/** Choices that a seed determines: the generator mulberry32. */
export class Random {
  private serial = 0;

  constructor(private state: number) {}

  /** A name that was not used before. */
  name(word: string): string {
    this.serial += 1;
    return `${word} ${this.serial}`;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of these; undefined if there are none. */
  pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.next() * values.length)];
  }

  /** One of these, of which there are some. */
  one<Value>(...values: readonly Value[]): Value {
    return this.pick(values) as Value;
  }

  /** Some of these, without repetition. */
  some<Value>(values: readonly Value[], most = 3): Value[] {
    const count = 1 + Math.floor(this.next() * most);
    const picked = Array.from({ length: count }, () => this.pick(values));
    return [...new Set(picked)].filter((value) => value !== undefined);
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
