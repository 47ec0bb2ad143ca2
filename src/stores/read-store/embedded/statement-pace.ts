/** A statement that took no more milliseconds was fast. */
const QUICK = 4;

/** After so many consecutive fast runs, the next one is expected to be fast. */
const AFTER = 2;

/** The same after a run that was slow. */
const AFTER_SLOW = 50;

/** Predicts from a statement's past runs whether it is fast, or should run where it can be interrupted. */
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

  /** @param milliseconds that the statement took */
  note(milliseconds: number): void {
    if (milliseconds <= QUICK) {
      this.quickInARow += 1;
      return;
    }
    this.quickInARow = 0;
    this.wanted = AFTER_SLOW;
  }
}
