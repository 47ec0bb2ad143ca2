import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a piece of work may hold its thread before others have their turn, in milliseconds. */
const LONGEST = 5;

/**
 * Lets others have their turn during long work on a thread that answers requests. Between two steps of the work:
 *
 *     if (slice.isOver) await slice.next();
 */
export class TimeSlice {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > LONGEST;
  }

  /** Resolves when everything that waited has had its turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.began = performance.now();
  }
}
