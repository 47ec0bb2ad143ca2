import { BroadcastChannel } from 'node:worker_threads';

/** Milliseconds after which a reader looks for itself: the only way it learns of another process's appends. */
const POLL_INTERVAL = 250;

/** Tells the readers of one file, in every thread of this process, that something was committed. */
export class CommitSignal {
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Set<() => void>();

  constructor(path: string) {
    this.#channel = new BroadcastChannel(`palimpsest-event-log:${path}`);
    this.#channel.onmessage = () => this.#wakeAll();
    this.#channel.unref();
  }

  announce(): void {
    this.#channel.postMessage(null);
    this.#wakeAll();
  }

  /** Resolves when there may be something new, or when `signal` aborts. Keeps no process alive. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_INTERVAL).unref();
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }

  close(): void {
    this.#channel.close();
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
