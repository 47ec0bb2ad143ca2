import {
  BACKWARDS,
  END,
  FORWARDS,
  EventStoreDBClient,
  UnknownError,
  type AllStreamRecordedEvent,
  type Credentials,
  type ReadPosition,
} from '@eventstore/db-client';
import {
  EventStoreUnavailableError,
  type AppendResult,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  type HeadOptions,
  type PersistedEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  type SubscribeAllOptions,
} from '../port.js';
import { SharedSubscriptionStore } from '../following/shared-subscription-store.js';
import { validateAppend, validatePageSize } from '../validate-append.js';
import { Appender } from './appender.js';
import { Backoff, isPermanent, toUnavailable } from './failures.js';
import { readWithin } from './bounded-read.js';
import { isSystemEvent, toPersistedEvent, toPosition } from './convert.js';
import { PageSubscription, type PageSubscriptionOptions } from './page-subscription.js';

/** Options of {@link connectEventStoreDb}. */
interface EventStoreDbOptions {
  /** `esdb://[user:password@]host:port[,host:port...][?tls=false&...]`, as for every EventStoreDB client. */
  readonly connectionString: string;
  /** Milliseconds for an append or a read, retries included; absent: 10,000. */
  readonly deadline?: number;
  /** True: only one follower reads the log, with a subscription to the types that it wants. Absent: there may be many. */
  readonly hasOneFollower?: boolean;
}

/** Events per page, unless the reader sets another number. */
const DEFAULT_PAGE = 512;

const DEFAULT_DEADLINE = 10_000;

/** The longest that a page of a read is gathered, in milliseconds: it counts towards the deadline. */
const READ_GATHERING = 1_000;

/** Number of events read at once in search of the last one that is not a system event. */
const HEAD_PAGE = 64;

/**
 * Number of records before the end of the log from which a process follows all events with one shared subscription. A subscription with a
 * type filter reports its position only every 512 records, and must be within this range to be replaced by the shared one.
 */
const LIVE_OVERLAP = 1_024;

/** A server that becomes unavailable also causes unknown errors, but one that keeps causing them is not unavailable. */
const MAX_UNKNOWN_ERRORS = 20;

/**
 * Creates the adapter for EventStoreDB. The connection is opened by the first request, and reopened by the first request after it dropped.
 *
 * Positions are the server's byte offsets. A subscription with a type filter learns only every 512 events that others were skipped, so the
 * position of its last page may be that far behind {@link EventStore.head}.
 *
 * @throws EventStoreUnavailableError when the connection string cannot be parsed (the message does not repeat it, because it may contain a
 *   password), or when its options would make failed appends look successful
 */
export function connectEventStoreDb(options: EventStoreDbOptions): EventStore {
  const store = new EventStoreDb(options);
  if (options.hasOneFollower) return store;
  return new SharedSubscriptionStore(store, { startOfLive: () => store.positionBeforeEnd(LIVE_OVERLAP) });
}

function clientOf(connectionString: string): EventStoreDBClient {
  if (/throwOnAppendFailure=false/i.test(connectionString)) {
    throw new EventStoreUnavailableError('EVENTSTORE_URL must not turn throwOnAppendFailure off', false);
  }
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch {
    throw new EventStoreUnavailableError(
      'EVENTSTORE_URL is no connection string of EventStoreDB, such as esdb://host:2113?tls=false',
      false,
    );
  }
}

/** The adapter. Each of its subscriptions is a subscription on the server. */
export class EventStoreDb implements EventStore {
  readonly #client: EventStoreDBClient;
  readonly #appender: Appender;
  readonly #deadline: number;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor({ connectionString, deadline = DEFAULT_DEADLINE }: EventStoreDbOptions) {
    this.#client = clientOf(connectionString);
    this.#deadline = deadline;
    this.#appender = new Appender({
      client: this.#client,
      credentials: credentialsOf(connectionString),
      deadline,
    });
  }

  append(stream: string, expected: ExpectedRevision, events: readonly StoredEvent[]): Promise<AppendResult> {
    return this.#run(() => {
      validateAppend(stream, expected, events);
      return this.#appender.append({ stream, expected, events });
    });
  }

  readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]> {
    return this.#run(async () => {
      const { from, direction = 'forwards', limit: maxCount } = options;
      validatePageSize(maxCount);
      const start = direction === 'forwards' ? 'start' : 'end';
      const fromRevision = from === undefined ? start : BigInt(from);
      const resolved = await readWithin(this.#deadline, () =>
        this.#client.readStream(stream, { fromRevision, direction, maxCount }),
      );
      return resolved.flatMap(({ event }) => (event ? toPersistedEvent(event) : []));
    });
  }

  /** Reading forwards begins at the position itself; a subscription would begin after it. */
  eventAt(position: number): Promise<PersistedEvent | null> {
    const options = { direction: FORWARDS, maxCount: 1, fromPosition: toPosition(position) } as const;
    return this.#run(async () => {
      const [resolved] = await readWithin(this.#deadline, () => this.#client.readAll(options));
      const event = resolved?.event && toPersistedEvent(resolved.event);
      return event?.position === position ? event : null;
    });
  }

  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    const silence = new AbortController();
    // Without a filter, the log is read like a stream instead of subscribed to.
    const ends = options.types === undefined;
    const pages = this.#follow({ ...options, signal: silence.signal }, { ends, gathering: READ_GATHERING });
    try {
      for (;;) {
        const timer = setTimeout(() => silence.abort(), this.#deadline);
        const next = await pages.next().finally(() => clearTimeout(timer));
        if (next.done) throw new EventStoreUnavailableError('EventStoreDB did not answer in time', false);
        yield next.value;
        if (next.value.live) return;
      }
    } finally {
      await pages.return(undefined);
    }
  }

  subscribeAll(options: SubscribeAllOptions): AsyncIterable<EventPage> {
    return this.#follow(options, {});
  }

  head({ withSystemEvents = false }: HeadOptions = {}): Promise<number | null> {
    return this.#run(async () => {
      let fromPosition: ReadPosition = END;
      for (;;) {
        const events = await this.#readBackwards(fromPosition, HEAD_PAGE);
        const last = events.find((event) => withSystemEvents || !isSystemEvent(event));
        if (last) return toPersistedEvent(last).position;
        const oldest = events.at(-1);
        if (!oldest) return null;
        fromPosition = oldest.position;
      }
    });
  }

  /** The position that many records before the end; 0: there are fewer. */
  positionBeforeEnd(records: number): Promise<number> {
    return this.#run(async () => {
      const events = await this.#readBackwards(END, records);
      const oldest = events.at(-1);
      return oldest === undefined || events.length < records ? 0 : toPersistedEvent(oldest).position;
    });
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    await this.#client.dispose();
  }

  async *#follow(
    options: SubscribeAllOptions,
    kind: Pick<PageSubscriptionOptions, 'ends' | 'gathering'>,
  ): AsyncGenerator<EventPage, undefined> {
    const { pageSize = DEFAULT_PAGE, types } = options;
    validatePageSize(pageSize);
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const backoff = new Backoff();
    let after = options.after ?? 0;
    let unknownErrors = 0;
    while (!signal.aborted) {
      const subscription = new PageSubscription(this.#client, { after, types, pageSize, ...kind });
      try {
        for (let page = await subscription.next(signal); page; page = await subscription.next(signal)) {
          yield page;
          after = page.position;
          unknownErrors = 0;
          backoff.reset();
        }
      } catch (error) {
        unknownErrors += error instanceof UnknownError ? 1 : 0;
        if (isPermanent(error) || unknownErrors > MAX_UNKNOWN_ERRORS) throw toUnavailable(error, false);
        await backoff.pause({ signal });
      } finally {
        subscription.close();
      }
    }
  }

  async #readBackwards(fromPosition: ReadPosition, maxCount: number): Promise<AllStreamRecordedEvent[]> {
    const options = { direction: BACKWARDS, maxCount, fromPosition } as const;
    const resolved = await readWithin(this.#deadline, () => this.#client.readAll(options));
    return resolved.flatMap(({ event }) => event ?? []);
  }

  /** Rejects after {@link close}, which waits for the requests accepted before. */
  async #run<T>(request: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted)
      throw new EventStoreUnavailableError('The event store is closed', false);
    const running = request();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** A placeholder if there are none; on an insecure connection, the client does not send it. */
function credentialsOf(connectionString: string): Credentials {
  const [, username = 'anonymous', password = ''] =
    /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(connectionString) ?? [];
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
