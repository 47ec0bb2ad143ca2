import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** How many milliseconds a task may occupy its thread before it yields to the event loop. */
const MAX_SLICE = 5;

/**
 * Lets the event loop run during long work on the request thread. Between two steps of the work:
 * if (slice.isOver) await slice.next();
 */
export class TimeSlice {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > MAX_SLICE;
  }

  /** Resolves after one iteration of the event loop. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.began = performance.now();
  }
}

/** Writes many items, and lets the event loop run in between. The source of the items must not change meanwhile. */
export async function writeInSlices<Item>(
  items: Iterable<Item>,
  write: (item: Item) => string,
): Promise<string[]> {
  const texts: string[] = [];
  const slice = new TimeSlice();
  for (const item of items) {
    texts.push(write(item));
    if (slice.isOver) await slice.next();
  }
  return texts;
}
