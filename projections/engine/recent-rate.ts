/** The period over which the rate is averaged. */
const SECONDS = 10;

/** Counts occurrences, in total and recently. */
export class RecentRate {
  /** By whole second of the clock. */
  private readonly bySecond = new Map<number, number>();
  total = 0;

  /** @param now a monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  add(count: number): void {
    if (count === 0) return;
    this.total += count;
    const second = this.second();
    this.bySecond.set(second, (this.bySecond.get(second) ?? 0) + count);
    for (const earlier of this.bySecond.keys()) {
      if (earlier <= second - SECONDS) this.bySecond.delete(earlier);
    }
  }

  perSecond(): number {
    const second = this.second();
    let count = 0;
    for (const [at, happened] of this.bySecond) if (at > second - SECONDS) count += happened;
    return count / SECONDS;
  }

  private second(): number {
    return Math.floor(this.now() / 1000);
  }
}
