import { MAX_PAGE, type EventPage, type EventStore } from '../port.js';
import { FollowerWaits } from './follower-waits.js';
import { LiveEvents } from './live-events.js';

/** What a {@link LiveReader} needs. */
export interface LiveReaderOptions {
  readonly store: Pick<EventStore, 'subscribeAll'>;
  /** A position a little before the end of the log, to begin at. */
  readonly startOfLive: () => Promise<number>;
}

/** What a follower waits for. */
interface Awaited {
  /** Null: events of all types. */
  readonly types: ReadonlySet<string> | null;
  /** By how many milliseconds it may learn later that there are only events of other types. */
  readonly delay: number;
}

const anything: Awaited = { types: null, delay: 0 };

/** Maximum number of events during which a follower may be left waiting: the memory for events is limited. */
const MAX_LEFT = 512;

/** Follows the end of the log once for all followers of a process, as long as there is at least one. */
export class LiveReader {
  #followers = 0;
  #live: Promise<LiveEvents | null> | null = null;
  #current: LiveEvents | null = null;
  #ending = new AbortController();
  readonly #waits = new FollowerWaits<Awaited, void>(undefined);
  /** Wakes the followers that wait for other events than those that came. */
  #late: NodeJS.Timeout | null = null;
  /** How many events came since all followers were woken. */
  #left = 0;

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

  /** Resolves when such events arrive, some time after other events arrived, or when the signal is aborted. */
  next(signal: AbortSignal, awaited: Awaited = anything): Promise<void> {
    return this.#waits.begin(signal, awaited);
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
        this.#wakeFor(page);
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

  #wakeFor({ events }: EventPage): void {
    this.#left += events.length;
    if (this.#left > MAX_LEFT) return this.#wakeAll();
    let delay = Infinity;
    this.#waits.end(undefined, (awaited) => {
      const { types } = awaited;
      if (awaited.delay === 0 || types === null || events.some(({ type }) => types.has(type))) return true;
      delay = Math.min(delay, awaited.delay);
      return false;
    });
    if (delay < Infinity) this.#late ??= setTimeout(() => this.#wakeAll(), delay).unref();
  }

  #wakeAll(): void {
    if (this.#late !== null) clearTimeout(this.#late);
    this.#late = null;
    this.#left = 0;
    this.#waits.end();
  }
}
