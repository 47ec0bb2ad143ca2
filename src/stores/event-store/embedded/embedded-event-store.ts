import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AdvanceRecord, HeadRecords } from '../head-record.js';
import {
  EventStoreUnavailableError,
  type AppendResult,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  type PersistedEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  type SubscribeAllOptions,
} from '../port.js';
import { SharedSubscriptionStore } from '../following/shared-subscription-store.js';
import { validateAppend, validatePageSize } from '../validate-append.js';
import { CommitSignal } from './commit-signal.js';
import { GroupCommit } from './group-commit.js';
import { LogFile } from './log-file.js';

/** Options of {@link openEmbeddedEventStore}. */
interface EmbeddedEventStoreOptions {
  /** Path of the SQLite file. It is created with its directory if it is missing, unless `readOnly`. */
  readonly file: string;
  /** For further threads or processes that only read. They see appends once they are committed. */
  readonly readOnly?: boolean;
  /** Updates the record of the log's end with each commit; absent: there is no record. */
  readonly advance?: AdvanceRecord;
  /** True: only one follower reads the log, so only the types that it wants are read. Absent: there may be many. */
  readonly hasOneFollower?: boolean;
}

/** The embedded log, with the record of its end in the same file. */
interface EmbeddedEventStore extends EventStore {
  readonly headRecords: HeadRecords;
}

/** Events per page, unless the reader sets another number. */
const DEFAULT_PAGE = 512;

/** Maximum number of positions that a page scans for events of the wanted types: about 10 ms. */
const SCAN_WINDOW = 20_000;

/**
 * Opens the event log in one SQLite file: WAL, synced at every commit, positions contiguous from 1, and `position` 0 on the pages of an
 * empty log. A repeated append is recognised however old it is, because event ids are unique. Reads are synchronous: a page of default size
 * takes about 2 ms. Commits of several appends wait for the disk on a thread of the driver.
 *
 * @throws NewerSchemaError when a later version wrote the file, RepeatedEventError
 */
export function openEmbeddedEventStore(options: EmbeddedEventStoreOptions): EmbeddedEventStore {
  const { file, readOnly = false, hasOneFollower = false } = options;
  const store = new SqliteEventStore(readOnly ? LogFile.openReadOnly(file) : LogFile.open(file), options);
  if (hasOneFollower) return store;
  const followed = new SharedSubscriptionStore(store, { startOfLive: async () => (await store.head()) ?? 0 });
  return Object.assign(followed, { headRecords: store.headRecords });
}

class SqliteEventStore implements EmbeddedEventStore {
  readonly headRecords: HeadRecords;
  readonly #announcements: CommitSignal;
  readonly #commits: GroupCommit;
  readonly #closing = new AbortController();
  readonly #readOnly: boolean;

  constructor(
    private readonly file: LogFile,
    { readOnly = false, advance = null }: { readOnly?: boolean; advance?: AdvanceRecord | null },
  ) {
    this.#readOnly = readOnly;
    this.#announcements = new CommitSignal(file.path);
    this.#commits = new GroupCommit(file, (committed) => this.#announcements.announce(committed), advance);
    this.headRecords = {
      isExact: true,
      read: () => this.#readLater((log) => log.headRecord()),
      write: (record) => this.#commits.writeHeadRecord(record),
    };
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    stored: readonly StoredEvent[],
  ): Promise<AppendResult> {
    this.#refuseWhenClosed();
    if (this.#readOnly)
      throw new EventStoreUnavailableError('The event log is open for reading alone', false);
    const events = validateAppend(stream, expected, stored);
    return this.#commits.append({ stream, expected, events });
  }

  readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]> {
    const { from, direction = 'forwards', limit } = options;
    return this.#readLater((file) => {
      validatePageSize(limit);
      return direction === 'forwards'
        ? file.readForwards(stream, from ?? 0, limit)
        : file.readBackwards(stream, from ?? Number.MAX_SAFE_INTEGER, limit);
    });
  }

  eventAt(position: number): Promise<PersistedEvent | null> {
    const range = { after: position - 1, through: position, limit: 1 };
    return this.#readLater((file) => file.readRange(range)[0] ?? null);
  }

  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    for (let after = options.after ?? 0; ; await yieldToEventLoop()) {
      const page = this.#readPage(after, options);
      yield page;
      if (page.live) return;
      after = page.position;
    }
  }

  async *subscribeAll(options: SubscribeAllOptions): AsyncIterable<EventPage> {
    // Node keeps a combined signal that somebody listens to until it is aborted.
    const left = new AbortController();
    const signal = AbortSignal.any([options.signal, this.#closing.signal, left.signal]);
    const wanted = options.types === undefined ? null : new Set(options.types);
    let after = options.after ?? 0;
    let live = false;
    let announced = false;
    this.#announcements.listen();
    try {
      while (!signal.aborted) {
        const page =
          (announced ? this.#announcedPage(after, wanted, options) : null) ?? this.#readPage(after, options);
        announced = true;
        if (page.position > after || !live) yield page;
        else announced = await this.#announcements.next(signal);
        if (!page.live) await yieldToEventLoop();
        ({ position: after, live } = page);
      }
    } finally {
      left.abort();
    }
  }

  head(): Promise<number | null> {
    return this.#readLater((file) => file.head() || null);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#commits.close();
    this.#announcements.close();
    this.file.close();
  }

  /** A page from memory, without reading the file; null: memory does not have all of it. */
  #announcedPage(
    after: number,
    wanted: ReadonlySet<string> | null,
    { pageSize: limit = DEFAULT_PAGE }: ReadAllOptions,
  ): EventPage | null {
    const { types, events } = this.#announcements;
    const position = wanted === null ? null : types.passable(after, wanted);
    if (position !== null) return { events: [], position, live: true };
    return events.page({ after, end: types.end, types: wanted, limit });
  }

  #readPage(after: number, { types, pageSize = DEFAULT_PAGE }: ReadAllOptions): EventPage {
    validatePageSize(pageSize);
    return this.#read((file) => {
      const head = file.head();
      const through = types ? Math.min(head, after + SCAN_WINDOW) : head;
      const events = file.readRange({ after, through, types, limit: pageSize });
      const full = events.length === pageSize;
      const position = full ? events.at(-1)!.position : Math.max(after, through);
      return { events, position, live: position >= head };
    });
  }

  /** Converts thrown errors to rejections. */
  #readLater<T>(read: (file: LogFile) => T): Promise<T> {
    return new Promise((resolve) => resolve(this.#read(read)));
  }

  #read<T>(read: (file: LogFile) => T): T {
    this.#refuseWhenClosed();
    try {
      return read(this.file);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw new EventStoreUnavailableError('The event log cannot be read', false, { cause: error });
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closing.signal.aborted) throw new EventStoreUnavailableError('The event log is closed', false);
  }
}
