import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** How many milliseconds a task may occupy its thread before it yields to the event loop. */
const MAX_SLICE = 5;

/**
 * Lets the event loop run during long work on the request thread. Between two steps of the work:
 * if (slice.isOver) await slice.next();
 *
 * For work of which there is one at a time, and for work that is usually short, such as encoding an append: what many
 * requests may do at length at once uses a {@link SharedTimeSlice}.
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

/** When the first task with a shared slice ran in this iteration of the event loop; null: none has. */
let began: number | null = null;

/** Tasks that have used up the shared slice, in the order in which they continue. */
const waiting: (() => void)[] = [];

/**
 * Like {@link TimeSlice}, for what many requests may do at once: all tasks of the thread together have one slice in an
 * iteration of the event loop, and one of those that wait continues in each. With a slice for each task, the thread would
 * be occupied the longer, the more requests come at once.
 */
export class SharedTimeSlice {
  get isOver(): boolean {
    if (began === null) {
      began = performance.now();
      void yieldToEventLoop().then(() => (began = null));
    }
    return performance.now() - began > MAX_SLICE;
  }

  /** Resolves when it is the task's turn, after one iteration of the event loop at least. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) void continueInTurn();
    });
  }
}

async function continueInTurn(): Promise<void> {
  while (waiting.length > 0) {
    await yieldToEventLoop();
    began = null;
    waiting.shift()!();
  }
}

/** Writes many items, and lets the event loop run in between. The source of the items must not change meanwhile. */
export async function writeInSlices<Item>(
  items: Iterable<Item>,
  write: (item: Item) => string,
): Promise<string[]> {
  const texts: string[] = [];
  const slice = new SharedTimeSlice();
  for (const item of items) {
    texts.push(write(item));
    if (slice.isOver) await slice.next();
  }
  return texts;
}
