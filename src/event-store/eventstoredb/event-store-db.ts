import { BACKWARDS, END, EventStoreDBClient, UnknownError } from '@eventstore/db-client';
import type { AllStreamRecordedEvent, Credentials, ReadPosition } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../port.js';
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
import { validateAppend, validatePageSize } from '../validate-append.js';
import { Appender } from './appender.js';
import { Backoff } from './backoff.js';
import { readWithin } from './bounded-read.js';
import { isSystemEvent, toPersistedEvent } from './convert.js';
import { isPermanent, toUnavailable } from './failures.js';
import { PageSubscription } from './page-subscription.js';

/** Options of {@link connectEventStoreDb}. */
export interface EventStoreDbOptions {
  /** `esdb://[user:password@]host:port[,host:port...][?tls=false&...]`, as every EventStoreDB client takes it. */
  readonly connectionString: string;
  /** Milliseconds that an append or a read may take, its retries included; 10,000 unless given. */
  readonly deadline?: number;
}

/** Events on a page, unless the reader says otherwise. */
const DEFAULT_PAGE = 512;

const DEFAULT_DEADLINE = 10_000;

/** Events that are read at once in search of the last that is not the server's own. */
const HEAD_PAGE = 64;

/** A server that goes away reports unknown errors too; one that keeps reporting them is not away. */
const MOST_UNKNOWN_ERRORS = 20;

/**
 * Connects to EventStoreDB; the connection itself is made by the first request, and again by the first after it dropped.
 *
 * Positions are the server's byte offsets. A subscription that is filtered by types learns only every 512 events that events of
 * other types went by, so the position of its last page may lie that far behind {@link EventStore.head}.
 *
 * @throws Error when the connection string cannot be parsed
 */
export function connectEventStoreDb(options: EventStoreDbOptions): EventStore {
  return new EventStoreDb(options);
}

class EventStoreDb implements EventStore {
  readonly #client: EventStoreDBClient;
  readonly #appender: Appender;
  readonly #deadline: number;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor({ connectionString, deadline = DEFAULT_DEADLINE }: EventStoreDbOptions) {
    if (/throwOnAppendFailure=false/i.test(connectionString)) {
      throw new Error('The EventStoreDB connection string must not turn throwOnAppendFailure off');
    }
    this.#client = EventStoreDBClient.connectionString(connectionString);
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

  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    const silence = new AbortController();
    const pages = this.#follow({ ...options, signal: silence.signal });
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
    return this.#follow(options);
  }

  head({ withSystemEvents = false }: HeadOptions = {}): Promise<number | null> {
    return this.#run(async () => {
      let fromPosition: ReadPosition = END;
      for (;;) {
        const events = await this.#readBackwards(fromPosition);
        const last = events.find((event) => withSystemEvents || !isSystemEvent(event));
        if (last) return toPersistedEvent(last).position;
        const oldest = events.at(-1);
        if (!oldest) return null;
        fromPosition = oldest.position;
      }
    });
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    await this.#client.dispose();
  }

  async *#follow(options: SubscribeAllOptions): AsyncGenerator<EventPage, undefined> {
    const { pageSize = DEFAULT_PAGE, types } = options;
    validatePageSize(pageSize);
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const backoff = new Backoff();
    let after = options.after ?? 0;
    let unknownErrors = 0;
    while (!signal.aborted) {
      const subscription = new PageSubscription(this.#client, { after, types, pageSize });
      try {
        for (let page = await subscription.next(signal); page; page = await subscription.next(signal)) {
          yield page;
          after = page.position;
          unknownErrors = 0;
          backoff.reset();
        }
      } catch (error) {
        unknownErrors += error instanceof UnknownError ? 1 : 0;
        if (isPermanent(error) || unknownErrors > MOST_UNKNOWN_ERRORS) throw toUnavailable(error, false);
        await backoff.pause({ signal });
      } finally {
        subscription.close();
      }
    }
  }

  async #readBackwards(fromPosition: ReadPosition): Promise<AllStreamRecordedEvent[]> {
    const options = { direction: BACKWARDS, maxCount: HEAD_PAGE, fromPosition } as const;
    const resolved = await readWithin(this.#deadline, () => this.#client.readAll(options));
    return resolved.flatMap(({ event }) => event ?? []);
  }

  /** Refuses once closed, and lets {@link close} wait for what was accepted. */
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

/** Without any, a placeholder, which the client leaves out on an insecure connection. */
function credentialsOf(connectionString: string): Credentials {
  const [, username = 'anonymous', password = ''] =
    /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(connectionString) ?? [];
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
