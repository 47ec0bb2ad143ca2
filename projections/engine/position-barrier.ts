interface Waiter {
  readonly position: number;
  /** When the wait began, by the monotonic clock. */
  readonly since: number;
  readonly resolve: (passed: boolean) => void;
}

/** The position that a follower of the log has passed, and the callers that wait for a position. */
export class PositionBarrier {
  private reached: number | null = null;
  private waiters: Waiter[] = [];
  private overdue: Pick<Waiter, 'position' | 'since'> | null = null;

  /** Position of the last handled event; null: none. */
  get position(): number | null {
    return this.reached;
  }

  /** Whether any caller waits. */
  get awaited(): boolean {
    return this.waiters.length > 0;
  }

  /** Whether a known position has not been passed yet, even if every caller has given up waiting. */
  get wanted(): boolean {
    return this.awaited || this.overdue !== null;
  }

  /** How long the oldest known position has not been passed, in milliseconds; 0: all have been. */
  get lateMilliseconds(): number {
    const oldest = this.overdue ?? this.waiters[0];
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  hasPassed(position: number): boolean {
    return this.reached !== null && this.reached >= position;
  }

  /** Advances the position; a lower one has no effect. */
  advance(position: number): void {
    if (this.hasPassed(position)) return;
    this.reached = position;
    if (this.overdue !== null && this.overdue.position <= position) this.overdue = null;
    if (this.waiters.length === 0) return;
    const waiting: Waiter[] = [];
    for (const waiter of this.waiters) {
      if (waiter.position <= position) waiter.resolve(true);
      else waiting.push(waiter);
    }
    this.waiters = waiting;
  }

  /** Sets the position, which may be lower than before. */
  restart(position: number | null): void {
    this.reached = null;
    if (position !== null) this.advance(position);
  }

  /** Ends all waits without success. */
  giveUp(): void {
    for (const waiter of [...this.waiters]) this.timeOut(waiter);
  }

  /** Records that a position has existed for `milliseconds`, without waiting for it. */
  want(position: number, milliseconds: number): void {
    if (!this.hasPassed(position)) this.overdue ??= { position, since: performance.now() - milliseconds };
  }

  /** Waits for a position. False: the timeout expired first. */
  waitFor(position: number, milliseconds: number): Promise<boolean> {
    if (this.hasPassed(position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        since: performance.now(),
        resolve(passed) {
          clearTimeout(timer);
          resolve(passed);
        },
      };
      const timer = setTimeout(() => this.timeOut(waiter), milliseconds);
      this.waiters.push(waiter);
    });
  }

  private timeOut(waiter: Waiter): void {
    this.waiters = this.waiters.filter((other) => other !== waiter);
    this.overdue ??= waiter;
    waiter.resolve(false);
  }
}
