/** A statement that took no longer, in milliseconds, was quick. */
const QUICK = 4;

/** So many quick answers, one after the other, let expect that the next one is quick. */
const AFTER = 2;

/** And so many after one that was not. */
const AFTER_SLOW = 50;

/** How long a statement takes, from how long it took: whether it is worth running where it can be interrupted. */
export class StatementPace {
  private quickInARow = 0;
  private wanted = AFTER;

  get isQuick(): boolean {
    return this.quickInARow >= this.wanted;
  }

  async measure<Result>(run: () => Promise<Result>): Promise<Result> {
    const from = performance.now();
    try {
      return await run();
    } finally {
      this.note(performance.now() - from);
    }
  }

  /** @param milliseconds that it took */
  note(milliseconds: number): void {
    if (milliseconds <= QUICK) {
      this.quickInARow += 1;
      return;
    }
    this.quickInARow = 0;
    this.wanted = AFTER_SLOW;
  }
}
