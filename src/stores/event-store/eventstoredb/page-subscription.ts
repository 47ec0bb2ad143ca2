import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  eventTypeFilter,
  excludeSystemEvents,
  FORWARDS,
  START,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  type Filter,
  type Position,
} from '@eventstore/db-client';
import type { EventPage } from '../port.js';
import { isSystemEvent, toPersistedEvent, toPosition, toSafeInteger } from './convert.js';
import { GatheredEvents } from './gathered-events.js';

/** What one subscription delivers. */
export interface PageSubscriptionOptions {
  /** Only events after this position; 0: from the beginning. */
  readonly after: number;
  readonly types?: readonly string[] | undefined;
  readonly pageSize: number;
  /** Whether it ends at the end of the log and reports that as live. Then it has no type filter. */
  readonly ends?: boolean;
  /** The longest that a page is gathered while more events are certain to come, in milliseconds; absent: {@link gatheringTimes}. */
  readonly gathering?: number;
}

/** The server reports a filtered subscription's position after every 16 windows of 32 events, whether any match or not. */
const CHECKPOINT_INTERVAL = 16;

/** Events buffered before and after the client's conversion, besides the gathered ones. */
const CLIENT_BUFFER = 16;

/** The longest that a page of a subscription is gathered, in milliseconds: while catching up (more events are certain to come), and when live. */
const gatheringTimes = { catchingUp: 5_000, live: 10 };

/** A report of the server between two events. */
interface Mark {
  /** The number of events before it. */
  readonly due: number;
  readonly position?: bigint;
  readonly live?: boolean;
}

/**
 * One subscription to the log, or one read to its end, until its connection drops. Received events are returned in pages. While one page is
 * being handled, at most one more is gathered; then the connection gets back pressure.
 *
 * The client delivers one event per turn of the event loop. While catching up, a page is therefore returned when it is full, or after a
 * time limit. When live, it is returned as soon as a turn brings no event, so that pages grow with the load.
 *
 * The client reports checkpoints and "caught up" immediately, before events that are still buffered. Each report is therefore stored as a
 * mark with the number of events that precede it.
 */
export class PageSubscription {
  readonly #stream: EventStream;
  readonly #cancel: () => Promise<void>;
  readonly #gathered: GatheredEvents;
  readonly #gathering: number;
  readonly #marks: Mark[] = [];
  /** The number of events read from the client. */
  #read = 0;
  /** Position up to which pages were returned, and whether that was the end of the log. */
  #position: number;
  #live = false;
  /** Whether the server has reported the end of the log. */
  #hasCaughtUp = false;
  #arrivals = 0;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(client: EventStoreDBClient, options: PageSubscriptionOptions) {
    this.#position = options.after;
    this.#gathered = new GatheredEvents(options.pageSize);
    this.#gathering = options.gathering ?? gatheringTimes.catchingUp;
    const { stream, cancel } = options.ends ? read(client, options) : this.#subscribe(client, options);
    this.#stream = stream;
    this.#cancel = cancel;
    stream.on('readable', () => this.#readOn());
    // Never removed: the client may emit an error after the subscription was closed.
    stream.on('error', (error) => this.#fail(error));
    stream.on('end', () => {
      if (options.ends) this.#mark({ live: true });
      else this.#fail(new Error('The server ended the subscription'));
    });
  }

  /**
   * The next page, as soon as there are events or a new position; undefined: `signal` was aborted.
   *
   * @throws the client's error when the connection drops
   */
  async next(signal: AbortSignal): Promise<EventPage | undefined> {
    const onAbort = (): void => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        if (this.#hasSomething()) {
          await this.#gather(signal);
          const page = this.#take();
          if (page && !signal.aborted) return page;
        } else if (this.#failure) throw this.#failure;
        else await this.#woken();
      }
      return undefined;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Also ends the subscription on the server, which would otherwise keep it until the connection closes. */
  close(): void {
    void this.#cancel().catch(() => undefined);
    this.#stream.destroy();
  }

  #subscribe(client: EventStoreDBClient, { after, types }: PageSubscriptionOptions): Source {
    const stream = client.subscribeToAll(
      {
        fromPosition: after === 0 ? START : toPosition(after),
        filter: toFilter(types, ({ commit }) => this.#mark({ position: commit })),
      },
      { highWaterMark: CLIENT_BUFFER },
    );
    stream
      .on('caughtUp', () => this.#mark({ live: true }))
      .on('fellBehind', () => this.#mark({ live: false }));
    return { stream, cancel: () => stream.unsubscribe() };
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  #mark(mark: Omit<Mark, 'due'>): void {
    this.#hasCaughtUp = mark.live ?? this.#hasCaughtUp;
    this.#marks.push({ ...mark, due: this.#read + this.#stream.readableLength });
    this.#arrived();
  }

  /** Reads the client's buffered events, as far as there is room. */
  #readOn(): void {
    while (!this.#gathered.isFull) {
      const resolved = this.#stream.read() as AllStreamResolvedEvent | null;
      if (!resolved) break;
      this.#read += 1;
      if (!resolved.event || isSystemEvent(resolved.event)) continue;
      const event = toPersistedEvent(resolved.event);
      // A read includes the event at its start position, a subscription does not.
      if (event.position > this.#position) this.#gathered.add(event);
    }
    this.#arrived();
  }

  #arrived(): void {
    this.#arrivals += 1;
    this.#wake();
  }

  #hasSomething(): boolean {
    return !this.#gathered.isEmpty || (this.#marks[0]?.due ?? Infinity) <= this.#read;
  }

  /** Waits for more events, as long as the page has room and more are expected. */
  async #gather(signal: AbortSignal): Promise<void> {
    const since = performance.now();
    while (!this.#gathered.isFull && !this.#failure && !signal.aborted) {
      const max = this.#hasCaughtUp ? gatheringTimes.live : this.#gathering;
      const left = since + max - performance.now();
      if (left <= 0) return;
      const arrivals = this.#arrivals;
      if (!this.#hasCaughtUp) await this.#woken(left);
      else await yieldToEventLoop();
      if (this.#hasCaughtUp && this.#arrivals === arrivals) return;
    }
  }

  /** Resolves when something arrives, or after `milliseconds`. */
  async #woken(milliseconds?: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(): EventPage | undefined {
    const { position: before, live: liveBefore } = { position: this.#position, live: this.#live };
    const events = this.#gathered.take();
    this.#position = events.at(-1)?.position ?? this.#position;
    this.#passMarks();
    const live = this.#live && this.#stream.readableLength === 0;
    this.#readOn();
    if (events.length === 0 && this.#position === before && this.#live === liveBefore) return undefined;
    return { events, position: this.#position, live };
  }

  #passMarks(): void {
    while (this.#marks[0] && this.#marks[0].due <= this.#read) {
      const { position = 0n, live = this.#live } = this.#marks.shift()!;
      this.#position = Math.max(this.#position, toSafeInteger(position));
      this.#live = live;
    }
  }
}

/** The common interface of a subscription and a read. */
interface EventStream {
  readonly readableLength: number;
  on(event: 'readable' | 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  read(): unknown;
  destroy(): unknown;
}

interface Source {
  readonly stream: EventStream;
  readonly cancel: () => Promise<void>;
}

function read(client: EventStoreDBClient, { after }: PageSubscriptionOptions): Source {
  const fromPosition = after === 0 ? START : toPosition(after);
  const stream = client.readAll({ fromPosition, direction: FORWARDS }, { highWaterMark: CLIENT_BUFFER });
  return { stream, cancel: () => stream.cancel() };
}

function toFilter(types: readonly string[] | undefined, reached: (position: Position) => void): Filter {
  const options = {
    checkpointInterval: CHECKPOINT_INTERVAL,
    checkpointReached: (_subscription: AllStreamSubscription, position: Position) => reached(position),
  };
  if (!types) return excludeSystemEvents(options);
  const alternatives = types.map((type) => type.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return eventTypeFilter({ ...options, regex: `^(?:${alternatives.join('|')})$` });
}
