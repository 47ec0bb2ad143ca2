/** Timestamps within the last `milliseconds`, at most `limit` of them. */
export class SlidingWindow {
  private readonly times: number[] = [];
  private first = 0;
  private count = 0;

  constructor(
    private readonly limit: number,
    private readonly milliseconds: number,
  ) {}

  /** How many are in the window. */
  countAt(now: number): number {
    if (this.count > 0 && this.newest() > now) this.clear();
    while (this.count > 0 && this.oldest() <= now - this.milliseconds) {
      this.first = (this.first + 1) % this.limit;
      this.count -= 1;
    }
    return this.count;
  }

  /** When the oldest one leaves the window; `now` when it is empty. */
  freeAt(now: number): number {
    return this.countAt(now) === 0 ? now : this.oldest() + this.milliseconds;
  }

  /** Adds one; the caller has checked that there is room. */
  add(now: number): void {
    this.times[(this.first + this.count) % this.limit] = now;
    this.count += 1;
  }

  /** Also used when the clock was set back, so that nobody waits for a time that lies in a wrong future. */
  clear(): void {
    this.count = 0;
  }

  private oldest(): number {
    return this.times[this.first] ?? 0;
  }

  private newest(): number {
    return this.times[(this.first + this.count - 1) % this.limit] ?? 0;
  }
}
