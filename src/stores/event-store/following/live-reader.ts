import { MAX_PAGE, type EventStore } from '../port.js';
import { LiveEvents } from './live-events.js';

/** What a {@link LiveReader} works with. */
export interface LiveReaderOptions {
  readonly store: Pick<EventStore, 'subscribeAll'>;
  /** A little before the end of the log: where to begin. */
  readonly startOfLive: () => Promise<number>;
}

/** Follows the end of the log once for all that follow it in a process, as long as there is anybody. */
export class LiveReader {
  #followers = 0;
  #live: Promise<LiveEvents | null> | null = null;
  #current: LiveEvents | null = null;
  #ending = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: LiveReaderOptions) {}

  /** Somebody follows the log from now on. */
  enter(): void {
    this.#followers += 1;
  }

  /** Somebody does not any more. */
  leave(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.#ending.abort();
    this.#live = null;
    this.#current = null;
  }

  /** What the reader gets, from now on at the latest; null: the store cannot say where its log ends. */
  open(): Promise<LiveEvents | null> {
    this.#live ??= this.#begin();
    return this.#live;
  }

  /** What it gets, if somebody follows the log now. */
  get current(): LiveEvents | null {
    return this.#current;
  }

  /** Resolves when something came, or when a signal aborts. */
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
      // Followers then subscribe for themselves, and get the error there.
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
      // As above: this one has ended, and they go on with their own.
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
