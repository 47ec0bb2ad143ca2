import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventTypeFilter, excludeSystemEvents, FORWARDS, START } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  AllStreamSubscription,
  EventStoreDBClient,
  Filter,
  Position,
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
  /** Whether it ends where the log does, which it then says is live. Such a one takes no types. */
  readonly ends?: boolean;
}

/** The server says where a filtered subscription stands after every 16 windows of 32 events, whether they match or not. */
const CHECKPOINT_INTERVAL = 16;

/** Events that wait on either side of the client's conversion, beside those that were gathered. */
const CLIENT_BUFFER = 16;

/** How long a page may be gathered, in milliseconds: while catching up, where more is known to come, and once live. */
const GATHERING = { catchingUp: 1_000, live: 10 };

/** Something that the server said between two events. */
interface Mark {
  /** How many events came before it. */
  readonly due: number;
  readonly position?: bigint;
  readonly live?: boolean;
}

/**
 * One subscription to the log, or one reading of it to its end, until its connection drops: what has arrived is handed out in pages. At most a page is gathered while
 * the one before is worked on; behind that the connection is held back.
 *
 * The client gives one event a turn of the event loop. While catching up a page is therefore handed out when it is full, or after a
 * while; once live as soon as a turn brings nothing more, so that pages grow with what arrives.
 *
 * The client reports checkpoints and "caught up" at once, past the events that are still waiting to be read. Each
 * therefore becomes a mark behind the number of events that preceded it.
 */
export class PageSubscription {
  readonly #stream: EventStream;
  readonly #cancel: () => Promise<void>;
  readonly #gathered: GatheredEvents;
  readonly #marks: Mark[] = [];
  /** How many events were read of the client. */
  #read = 0;
  /** Where the pages that were handed out end, and whether that is where the log did. */
  #position: number;
  #live = false;
  /** Whether the server has said so by now. */
  #hasCaughtUp = false;
  #arrivals = 0;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(client: EventStoreDBClient, options: PageSubscriptionOptions) {
    this.#position = options.after;
    this.#gathered = new GatheredEvents(options.pageSize);
    const { stream, cancel } = options.ends ? read(client, options) : this.#subscribe(client, options);
    this.#stream = stream;
    this.#cancel = cancel;
    stream.on('readable', () => this.#readOn());
    // Stays for good: the client may report an error after the subscription was given up.
    stream.on('error', (error) => this.#fail(error));
    stream.on('end', () => {
      if (options.ends) this.#mark({ live: true });
      else this.#fail(new Error('The server ended the subscription'));
    });
  }

  /**
   * The next page, when there is something to tell; undefined once `signal` aborts.
   *
   * @throws what the client reports when the connection drops
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

  /** Ends it on the server too, which otherwise keeps it until the connection closes. */
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

  /** Reads what the client holds, as far as there is room for it. */
  #readOn(): void {
    while (!this.#gathered.isFull) {
      const resolved = this.#stream.read() as AllStreamResolvedEvent | null;
      if (!resolved) break;
      this.#read += 1;
      if (!resolved.event || isSystemEvent(resolved.event)) continue;
      const event = toPersistedEvent(resolved.event);
      // A reading begins with the event at its position, a subscription behind it.
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

  /** Waits for more, as long as the page has room and more is to be expected. */
  async #gather(signal: AbortSignal): Promise<void> {
    const since = performance.now();
    while (!this.#gathered.isFull && !this.#failure && !signal.aborted) {
      const most = this.#hasCaughtUp ? GATHERING.live : GATHERING.catchingUp;
      const left = since + most - performance.now();
      if (left <= 0) return;
      const arrivals = this.#arrivals;
      if (!this.#hasCaughtUp) await this.#woken(left);
      else await nextTurn();
      if (this.#hasCaughtUp && this.#arrivals === arrivals) return;
    }
  }

  /** Resolves when something arrives, or after so many milliseconds. */
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

/** What a subscription and a reading have in common. */
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
