import { TaskMarker } from './task-marker.js';

/** In milliseconds. A thread that has still not ended its task this time after the timeout is terminated. */
const GRACE = 1_000;

/** How often a running task is checked, in milliseconds. */
const CHECK_INTERVAL = 100;

/** A thread that needs more milliseconds to load is terminated. */
const MAX_START = 120_000;

/** What a {@link RunningTask} needs. */
interface RunningTaskOptions {
  /** In milliseconds, counted from when the thread has loaded. */
  readonly timeout: number;
  /** Aborted when the client has disconnected; null: the task cannot be cancelled. */
  readonly signal: AbortSignal | null;
  /** Tells the thread that the task is cancelled. */
  readonly cancelInThread: () => void;
  /** Called when the thread does not react: the waiters are answered without it. */
  readonly onUnresponsive: () => void;
}

/**
 * A task on a thread, as the pool sees it. The thread itself ends the task after its timeout and when it is cancelled. A thread that does
 * not react is terminated as soon as that is safe.
 */
export class RunningTask {
  /** Sent to the thread with the task. */
  readonly memory = TaskMarker.memory();
  private readonly marker = new TaskMarker(this.memory);
  private readonly ending = new AbortController();
  private readonly watch: NodeJS.Timeout;
  private due = performance.now() + MAX_START;
  private begunAt: number | null = null;
  private readonly onGone = (): void => this.cancel();

  constructor(private readonly options: RunningTaskOptions) {
    this.watch = setInterval(() => this.check(), CHECK_INTERVAL);
    options.signal?.addEventListener('abort', this.onGone, { once: true });
  }

  /** Aborted when the thread is to be terminated. */
  get unresponsive(): AbortSignal {
    return this.ending.signal;
  }

  /** How long the task has run in milliseconds, without the time to load the thread. Approximate. */
  get milliseconds(): number {
    return this.begunAt === null ? 0 : performance.now() - this.begunAt;
  }

  /** The number of rows that the task has read from read models, also if its thread did not survive it. */
  get rows(): number {
    return this.marker.rows;
  }

  /** Asks the thread to end the task. */
  cancel(): void {
    this.marker.cancel();
    this.options.cancelInThread();
    if (this.begunAt !== null) this.due = Math.min(this.due, performance.now() + GRACE);
  }

  /** Ends the task because the process stops: a thread that is still loading is not waited for. */
  abandon(): void {
    this.cancel();
    this.due = Math.min(this.due, performance.now() + GRACE);
  }

  /** Must be called when the task has ended. */
  stop(): void {
    clearInterval(this.watch);
    this.options.signal?.removeEventListener('abort', this.onGone);
  }

  private check(): void {
    const now = performance.now();
    if (this.begunAt === null && this.marker.hasBegun) {
      this.begunAt = now;
      this.due = now + GRACE + (this.marker.isCancelled ? 0 : this.options.timeout);
    }
    if (now < this.due) return;
    this.options.onUnresponsive();
    // Terminating a thread while the driver executes a statement for it would crash the process.
    if (this.marker.statements === 0) this.ending.abort();
  }
}
