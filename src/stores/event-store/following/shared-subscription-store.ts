import type {
  AppendResult,
  EventPage,
  EventStore,
  ExpectedRevision,
  HeadOptions,
  PersistedEvent,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
  SubscribeAllOptions,
} from '../port.js';
import { validatePageSize } from '../validate-append.js';
import type { LiveEvents } from './live-events.js';
import { LiveReader, type LiveReaderOptions } from './live-reader.js';

/** Events per page, unless the reader sets another number. */
const DEFAULT_PAGE = 512;

/** How long a read waits in milliseconds for the shared reader to reach the end of the log, before it reads by itself. */
const MAX_LAG = 1_000;

/** The progress of a follower. */
interface Progress {
  readonly after: number;
  /** Whether it has received a page with `live: true`. */
  readonly isTold: boolean;
}

/**
 * A store that follows its log once for all followers. A follower that has caught up takes its events from a shared live reader. Before
 * that, and when it falls behind the events that the live reader keeps, it has a subscription of its own with its type filter. A slow
 * follower delays no other.
 */
export class SharedSubscriptionStore implements EventStore {
  readonly #reader: LiveReader;
  readonly #closing = new AbortController();

  constructor(
    private readonly store: EventStore,
    { startOfLive }: Pick<LiveReaderOptions, 'startOfLive'>,
  ) {
    this.#reader = new LiveReader({ store, startOfLive });
  }

  append(stream: string, expected: ExpectedRevision, events: readonly StoredEvent[]): Promise<AppendResult> {
    return this.store.append(stream, expected, events);
  }

  readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]> {
    return this.store.readStream(stream, options);
  }

  eventAt(position: number): Promise<PersistedEvent | null> {
    return this.store.eventAt(position);
  }

  /** Reading recent events needs no subscription if the live reader has them. */
  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    const { after, types, pageSize: limit = DEFAULT_PAGE } = options;
    validatePageSize(limit);
    const live = types === undefined ? null : await this.#liveBehind(after ?? 0);
    if (live === null) {
      yield* this.store.readAll(options);
      return;
    }
    const range = { types: new Set(types), limit };
    for (let page = live.page({ ...range, after: after ?? 0 }); ;) {
      const isWhole = page.events.length < limit;
      yield { ...page, live: isWhole };
      if (isWhole) return;
      if (!live.covers(page.position)) {
        yield* this.store.readAll({ ...options, after: page.position });
        return;
      }
      page = live.page({ ...range, after: page.position });
    }
  }

  head(options?: HeadOptions): Promise<number | null> {
    return this.store.head(options);
  }

  async *subscribeAll(options: SubscribeAllOptions): AsyncIterable<EventPage> {
    validatePageSize(options.pageSize ?? DEFAULT_PAGE);
    // Node keeps a combined signal that somebody listens to until it is aborted.
    const left = new AbortController();
    const signal = AbortSignal.any([options.signal, this.#closing.signal, left.signal]);
    let progress: Progress = { after: options.after ?? 0, isTold: false };
    this.#reader.enter();
    try {
      while (!signal.aborted) {
        const live = await this.#reader.open();
        if (live === null || !isNear(live, progress))
          progress = yield* this.#catchUp(live, progress, { ...options, signal });
        if (live !== null) progress = yield* this.#share(live, progress, { ...options, signal });
      }
    } finally {
      left.abort();
      this.#reader.leave();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.store.close();
  }

  /** The live reader's events, if they include everything after a position. */
  async #liveBehind(after: number): Promise<LiveEvents | null> {
    const live = this.#reader.current;
    if (live === null || !live.covers(after)) return null;
    const head = (await this.store.head()) ?? 0;
    const timeout = AbortSignal.timeout(MAX_LAG);
    while (live.end < head && !live.isOver && !timeout.aborted) await this.#reader.next(timeout);
    return live.end >= head && live.covers(after) ? live : null;
  }

  /** Uses a subscription of its own until the live reader's events include the follower's position. */
  async *#catchUp(
    live: LiveEvents | null,
    { after: from, isTold: wasTold }: Progress,
    options: SubscribeAllOptions,
  ): AsyncGenerator<EventPage, Progress> {
    let progress: Progress = { after: from, isTold: wasTold };
    for await (const page of this.store.subscribeAll({ ...options, after: from === 0 ? null : from })) {
      progress = { after: page.position, isTold: progress.isTold || page.live };
      yield page;
      const isOver = live === null ? page.live : live.isOver;
      if (isOver || (live !== null && isNear(live, progress))) break;
    }
    return progress;
  }

  /** Takes pages from the live reader as long as it keeps the events after the follower's position. */
  async *#share(
    live: LiveEvents,
    { after: from, isTold: wasTold }: Progress,
    { types: wanted, pageSize: limit = DEFAULT_PAGE, signal, positionDelay: delay = 0 }: SubscribeAllOptions,
  ): AsyncGenerator<EventPage, Progress> {
    const types = wanted === undefined ? null : new Set(wanted);
    let [after, isTold] = [from, wasTold];
    while (!signal.aborted && live.covers(after)) {
      const page = live.page({ after, types, limit });
      if (page.position === after && (isTold || !page.live)) {
        await this.#reader.next(signal, { types, delay: isTold ? delay : 0 });
        continue;
      }
      isTold ||= page.live;
      after = page.position;
      yield page;
    }
    return { after, isTold };
  }
}

/** Whether a follower can continue with the live reader's events. Until it has been told that it is live, it must not be ahead of the live reader. */
function isNear(live: LiveEvents, { after, isTold }: Progress): boolean {
  return live.covers(after) && (isTold || after <= live.end);
}
