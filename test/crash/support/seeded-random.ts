/** Random choices that a seed repeats (mulberry32). */
export class SeededRandom {
  constructor(private state: number) {}

  /** At least 0 and below 1. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** @throws Error when there is nothing to choose from */
  pick<Choice>(choices: readonly Choice[]): Choice {
    if (choices.length === 0) throw new Error('Nothing to choose from');
    return choices[this.between(0, choices.length - 1)]!;
  }

  /** A source of its own, for whoever runs beside this one. */
  fork(): SeededRandom {
    return new SeededRandom(this.between(0, 2 ** 31));
  }
}
