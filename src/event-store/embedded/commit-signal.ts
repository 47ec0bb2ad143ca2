import { BroadcastChannel } from 'node:worker_threads';
import { RecentTypes, type CommittedTypes } from './recent-types.js';

/** Milliseconds after which a reader looks for itself: the only way it learns of another process's appends. */
const POLL_INTERVAL = 250;

/** Tells the readers of one file, in every thread of this process, that something was committed. */
export class CommitSignal {
  /** What was announced here. */
  readonly recent = new RecentTypes();
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Set<() => void>();

  constructor(path: string) {
    this.#channel = new BroadcastChannel(`palimpsest-event-log:${path}`);
    this.#channel.onmessage = (message) => {
      this.recent.add((message as { readonly data: CommittedTypes }).data);
      this.#wakeAll();
    };
    this.#channel.unref();
  }

  announce(committed: CommittedTypes): void {
    this.recent.add(committed);
    this.#channel.postMessage(committed);
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
