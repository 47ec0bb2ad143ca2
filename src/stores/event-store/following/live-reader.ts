import { MAX_PAGE, type EventStore } from '../port.js';
import { LiveEvents } from './live-events.js';

/** What a {@link LiveReader} needs. */
export interface LiveReaderOptions {
  readonly store: Pick<EventStore, 'subscribeAll'>;
  /** A position a little before the end of the log, to begin at. */
  readonly startOfLive: () => Promise<number>;
}

/** Follows the end of the log once for all followers of a process, as long as there is at least one. */
export class LiveReader {
  #followers = 0;
  #live: Promise<LiveEvents | null> | null = null;
  #current: LiveEvents | null = null;
  #ending = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: LiveReaderOptions) {}

  /** To be called when a follower begins. */
  enter(): void {
    this.#followers += 1;
  }

  /** To be called when a follower ends. */
  leave(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.#ending.abort();
    this.#live = null;
    this.#current = null;
  }

  /** Starts the reader if necessary and returns its events; null: the store cannot determine the end of its log. */
  open(): Promise<LiveEvents | null> {
    this.#live ??= this.#begin();
    return this.#live;
  }

  /** The events of the running reader; null: none is running. */
  get current(): LiveEvents | null {
    return this.#current;
  }

  /** Resolves when events arrive, or when the signal is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  async #begin(): Promise<LiveEvents | null> {
    const ending = new AbortController();
    this.#ending = ending;
    try {
      const live = new LiveEvents(await this.options.startOfLive());
      if (this.#ending === ending && !ending.signal.aborted) this.#current = live;
      void this.#read(live, ending);
      return live;
    } catch {
      // Followers then use subscriptions of their own, and get the error there.
      if (this.#ending === ending) this.#live = null;
      return null;
    }
  }

  async #read(live: LiveEvents, ending: AbortController): Promise<void> {
    const { signal } = ending;
    try {
      const range = { after: live.end === 0 ? null : live.end, pageSize: MAX_PAGE, signal };
      for await (const page of this.options.store.subscribeAll(range)) {
        live.add(page);
        this.#wakeAll();
      }
    } catch {
      // The same: this reader has ended, and followers use subscriptions of their own.
    } finally {
      live.endAll();
      if (this.#ending === ending) {
        this.#live = null;
        this.#current = null;
      }
      this.#wakeAll();
    }
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
