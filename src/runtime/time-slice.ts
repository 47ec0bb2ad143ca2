import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many milliseconds a task may occupy its thread before the event loop gets a turn. */
const LONGEST = 5;

/**
 * Lets the event loop run during long work on the request thread. Between two steps of the work:
 * if (slice.isOver) await slice.next();
 */
export class TimeSlice {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > LONGEST;
  }

  /** Resolves after one turn of the event loop. */
  async next(): Promise<void> {
    await nextTurn();
    this.began = performance.now();
  }
}
