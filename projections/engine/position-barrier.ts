interface Waiter {
  readonly position: number;
  /** By the monotonic clock. */
  readonly since: number;
  readonly resolve: (passed: boolean) => void;
}

/** How far a follower of the log has come, and who waits for it to come further. */
export class PositionBarrier {
  private reached: number | null = null;
  private waiters: Waiter[] = [];
  private overdue: Pick<Waiter, 'position' | 'since'> | null = null;

  /** Everything up to and including this position has been handled; null before anything was. */
  get position(): number | null {
    return this.reached;
  }

  /** Whether anybody waits. */
  get awaited(): boolean {
    return this.waiters.length > 0;
  }

  /** Whether a position is known that was wanted and is not passed yet, though everybody may have given up waiting. */
  get wanted(): boolean {
    return this.awaited || this.overdue !== null;
  }

  /** How long the oldest position that is known and not yet passed has been wanted, in milliseconds; 0: none is. */
  get lateMilliseconds(): number {
    const oldest = this.overdue ?? this.waiters[0];
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  hasPassed(position: number): boolean {
    return this.reached !== null && this.reached >= position;
  }

  /** Moves on; a lower position than the present one changes nothing. */
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

  /** Starts again from a position that may be lower. */
  restart(position: number | null): void {
    this.reached = null;
    if (position !== null) this.advance(position);
  }

  /** Sends those who wait away: what they wait for will not come soon. */
  giveUp(): void {
    for (const waiter of [...this.waiters]) this.turnAway(waiter);
  }

  /** Notes that a position has been wanted for so many milliseconds, though nobody waits for it. */
  want(position: number, milliseconds: number): void {
    if (!this.hasPassed(position)) this.overdue ??= { position, since: performance.now() - milliseconds };
  }

  /** Whether the position was passed within the time. */
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
      const timer = setTimeout(() => this.turnAway(waiter), milliseconds);
      this.waiters.push(waiter);
    });
  }

  private turnAway(waiter: Waiter): void {
    this.waiters = this.waiters.filter((other) => other !== waiter);
    this.overdue ??= waiter;
    waiter.resolve(false);
  }
}
