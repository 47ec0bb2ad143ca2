import { BroadcastChannel } from 'node:worker_threads';
import { RecentEvents, type CommittedEvent } from './recent-events.js';
import { RecentTypes, type CommittedTypes } from './recent-types.js';

/** Interval in milliseconds at which a reader checks the file, which is the only way to notice appends of other processes. */
const POLL_INTERVAL = 250;

/** Signals commits to the readers of one file, in every thread of this process. */
export class CommitSignal {
  /** The types announced here, from all threads. */
  readonly types = new RecentTypes();
  /** The events that this thread committed. */
  readonly events = new RecentEvents();
  /** Null: this thread has neither committed nor followed anything yet, so that commits of others need not wake it. */
  #channel: BroadcastChannel | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly path: string) {}

  announce(events: readonly CommittedEvent[]): void {
    const committed = { first: events[0]!.position, types: events.map(({ type }) => type) };
    this.types.add(committed);
    this.events.add(events);
    this.listen().postMessage(committed);
    this.#wakeAll();
  }

  /**
   * Resolves when there may be new events, or when `signal` is aborted. Does not keep the process running.
   *
   * @returns false when nothing was announced; another process may have written all the same
   */
  async next(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    return new Promise((resolve) => {
      const end = (announced: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(wake);
        resolve(announced);
      };
      const wake = (): void => end(true);
      const onAbort = (): void => end(false);
      const timer = setTimeout(onAbort, POLL_INTERVAL).unref();
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(wake);
    });
  }

  close(): void {
    this.#channel?.close();
  }

  /** Receives the announcements of other threads from now on. */
  listen(): BroadcastChannel {
    if (this.#channel !== null) return this.#channel;
    const channel = new BroadcastChannel(`palimpsest-event-log:${this.path}`);
    channel.onmessage = (message) => {
      this.types.add((message as { readonly data: CommittedTypes }).data);
      this.#wakeAll();
    };
    channel.unref();
    return (this.#channel = channel);
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
