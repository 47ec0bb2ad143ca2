import { TaskMarker } from './task-marker.js';

/** A thread that does not react to the end of a task is ended after so many milliseconds more. */
const GRACE = 1_000;

/** How often it is looked how a task goes, in milliseconds. */
const LOOK = 100;

/** A thread that takes longer to get ready, in milliseconds, is given up. */
const MAX_START = 120_000;

/** What a {@link RunningTask} works with. */
export interface RunningTaskOptions {
  /** In milliseconds, from when the thread is ready for it. */
  readonly timeout: number;
  /** Aborted when nobody waits for the answer any more; null: somebody always does. */
  readonly signal: AbortSignal | null;
  /** Tells the thread that nobody waits any more. */
  readonly tellThread: () => void;
  /** Aborted when the thread does not react: the waiters are then answered without it. */
  readonly onUnresponsive: () => void;
}

/**
 * A task that a thread does, as the thread that gave it sees it. The thread ends it by itself when its time is over, and when it
 * hears that nobody waits any more; where it does not react to that, the thread is ended when that harms nobody.
 */
export class RunningTask {
  /** Goes to the thread with the task. */
  readonly memory = TaskMarker.memory();
  private readonly marker = new TaskMarker(this.memory);
  private readonly ending = new AbortController();
  private readonly watch: NodeJS.Timeout;
  private due = performance.now() + MAX_START;
  private begunAt: number | null = null;
  private readonly onGone = (): void => this.cancel();

  constructor(private readonly options: RunningTaskOptions) {
    this.watch = setInterval(() => this.look(), LOOK);
    options.signal?.addEventListener('abort', this.onGone, { once: true });
  }

  /** Aborted when the thread is to be ended. */
  get unresponsive(): AbortSignal {
    return this.ending.signal;
  }

  /** For how long the thread has been at it, getting ready not counted: milliseconds, roughly. */
  get milliseconds(): number {
    return this.begunAt === null ? 0 : performance.now() - this.begunAt;
  }

  /** Lets the thread end it as soon as it can. */
  cancel(): void {
    this.marker.cancel();
    this.options.tellThread();
    if (this.begunAt !== null) this.due = Math.min(this.due, performance.now() + GRACE);
  }

  /** The same where the process ends: a thread that gets ready is not waited for either. */
  abandon(): void {
    this.cancel();
    this.due = Math.min(this.due, performance.now() + GRACE);
  }

  /** It has ended. */
  stop(): void {
    clearInterval(this.watch);
    this.options.signal?.removeEventListener('abort', this.onGone);
  }

  private look(): void {
    const now = performance.now();
    if (this.begunAt === null && this.marker.hasBegun) {
      this.begunAt = now;
      this.due = now + GRACE + (this.marker.isCancelled ? 0 : this.options.timeout);
    }
    if (now < this.due) return;
    this.options.onUnresponsive();
    // A thread that ends while the driver runs a statement for it would take the process with it.
    if (this.marker.statements === 0) this.ending.abort();
  }
}
