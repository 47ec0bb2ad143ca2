import { eventTypeFilter, excludeSystemEvents, START } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  AllStreamSubscription,
  EventStoreDBClient,
  Filter,
  Position,
} from '@eventstore/db-client';
import type { EventPage, PersistedEvent } from '../port.js';
import { isSystemEvent, toPersistedEvent, toPosition, toSafeInteger } from './convert.js';

/** What one subscription delivers. */
export interface PageSubscriptionOptions {
  /** Only events after this position; 0: from the beginning. */
  readonly after: number;
  readonly types?: readonly string[] | undefined;
  readonly pageSize: number;
}

/** The server says where a filtered subscription stands after every 16 windows of 32 events, whether they match or not. */
const CHECKPOINT_INTERVAL = 16;

/** Something that the server said between two events. */
interface Mark {
  /** How many events came before it. */
  readonly due: number;
  readonly position?: bigint;
  readonly live?: boolean;
}

/**
 * One subscription to the log, until its connection drops: what has arrived is handed out in pages. At most a page
 * waits on either side of the client's conversion; behind that the connection is held back.
 *
 * The client reports checkpoints and "caught up" at once, past the events that are still waiting to be read. Each
 * therefore becomes a mark behind the number of events that preceded it.
 */
export class PageSubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #marks: Mark[] = [];
  #taken = 0;
  #position: number;
  #live = false;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(
    client: EventStoreDBClient,
    private readonly options: PageSubscriptionOptions,
  ) {
    const { after, types, pageSize } = options;
    this.#position = after;
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: after === 0 ? START : toPosition(after),
        filter: toFilter(types, ({ commit }) => this.#mark({ position: commit })),
      },
      { highWaterMark: pageSize },
    );
    this.#listen();
  }

  /**
   * The next page, as soon as there is something to tell; undefined once `signal` aborts.
   *
   * @throws what the client reports when the connection drops
   */
  async next(signal: AbortSignal): Promise<EventPage | undefined> {
    const onAbort = (): void => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const page = this.#take();
        if (page) return page;
        if (this.#failure) throw this.#failure;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      return undefined;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends it on the server too, which otherwise keeps it until the connection closes. */
  close(): void {
    void this.#subscription.unsubscribe().catch(() => undefined);
    this.#subscription.destroy();
  }

  #listen(): void {
    this.#subscription
      .on('readable', () => this.#wake())
      .on('caughtUp', () => this.#mark({ live: true }))
      .on('fellBehind', () => this.#mark({ live: false }))
      // Stays for good: the client may report an error after the subscription was given up.
      .on('error', (error: Error) => this.#fail(error))
      .on('end', () => this.#fail(new Error('The server ended the subscription')));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  #mark(mark: Omit<Mark, 'due'>): void {
    this.#marks.push({ ...mark, due: this.#taken + this.#subscription.readableLength });
    this.#wake();
  }

  #take(): EventPage | undefined {
    const { position: before, live: liveBefore } = { position: this.#position, live: this.#live };
    const events = this.#takeEvents();
    this.#passMarks();
    const live = this.#live && this.#subscription.readableLength === 0;
    if (events.length === 0 && this.#position === before && this.#live === liveBefore) return undefined;
    return { events, position: this.#position, live };
  }

  #takeEvents(): PersistedEvent[] {
    const events: PersistedEvent[] = [];
    while (events.length < this.options.pageSize) {
      const resolved = this.#subscription.read() as AllStreamResolvedEvent | null;
      if (!resolved) break;
      this.#taken += 1;
      if (!resolved.event || isSystemEvent(resolved.event)) continue;
      const event = toPersistedEvent(resolved.event);
      events.push(event);
      this.#position = event.position;
    }
    return events;
  }

  #passMarks(): void {
    while (this.#marks[0] && this.#marks[0].due <= this.#taken) {
      const { position = 0n, live = this.#live } = this.#marks.shift()!;
      this.#position = Math.max(this.#position, toSafeInteger(position));
      this.#live = live;
    }
  }
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
