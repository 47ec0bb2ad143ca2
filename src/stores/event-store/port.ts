import { OperatorError } from '../../kernel/errors.js';
import type { JsonObject } from '../../kernel/json.js';

/**
 * What an append expects of its stream: the revision of its last event; that it does not exist ("no-stream"); or nothing ("any", only for
 * the `messages` stream, whose writers never conflict).
 */
export type ExpectedRevision = number | 'no-stream' | 'any';

/** The revision of an append's first event, if the expected revision is exact. */
export function firstRevision(expected: Exclude<ExpectedRevision, 'any'>): number {
  return expected === 'no-stream' ? 0 : expected + 1;
}

/** An event in the codec's stored form: validated, encrypted and hashed. */
export interface StoredEvent {
  /** A lower-case UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** A stored event and its place in the log. */
export interface PersistedEvent extends StoredEvent {
  readonly stream: string;
  /** Place in its stream: contiguous from 0. */
  readonly revision: number;
  /** Place in the whole log: increasing in the order in which readers see events; a safe integer; some stores leave gaps. */
  readonly position: number;
  /** Why a damaged event cannot be read; it keeps its place, with whatever is left of it. Absent: it is readable. */
  readonly unreadable?: string;
}

/** The result of an append. */
export interface AppendResult {
  readonly revision: number;
  /**
   * A reader at this position has read the whole append. If several appends were sent to EventStoreDB together, it is the position of the
   * last event of all of them.
   */
  readonly position: number;
}

/** Options of {@link EventStore.readStream}. */
export interface ReadStreamOptions {
  /** First revision to return; absent: the first event, or the last one when reading backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** Maximum number of events, from 1 to {@link MAX_PAGE}. */
  readonly limit: number;
}

/** Options of {@link EventStore.readAll}. */
export interface ReadAllOptions {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  /** Only these types; absent: all types. */
  readonly types?: readonly string[];
  /** Maximum number of events per page, from 1 to {@link MAX_PAGE}. */
  readonly pageSize?: number;
}

/** Options of {@link EventStore.subscribeAll}. */
export interface SubscribeAllOptions extends ReadAllOptions {
  /** Ends the subscription; the iteration then ends without an error. */
  readonly signal: AbortSignal;
  /**
   * By how many milliseconds a page without events may be late, so that the events of others cost this follower nothing. Pages with events
   * are never late for it. Absent: 0. A store need not make use of it.
   */
  readonly positionDelay?: number;
}

/** Options of {@link EventStore.head}. */
export interface HeadOptions {
  /** Whether to include the store's own events. */
  readonly withSystemEvents?: boolean;
}

/** A page of the log. */
export interface EventPage {
  /** In log order; empty when only the position changed, because events of other types were skipped. */
  readonly events: readonly PersistedEvent[];
  /**
   * All events of the wanted types up to and including this position have been delivered: a checkpoint to resume after. With a type filter,
   * EventStoreDB updates it only every few hundred skipped events, also when live.
   */
  readonly position: number;
  /** True once everything that was in the log when the page was read has been delivered. */
  readonly live: boolean;
}

/** Maximum number of events on a page. */
export const MAX_PAGE = 4096;

/** Maximum number of bytes of data (as JSON) in one append, on every adapter. */
export const MAX_APPEND_BYTES = 1_048_576;

/**
 * An append-only log of streams. Both adapters pass one contract suite.
 *
 * Errors: {@link WrongExpectedRevisionError} (and its kind {@link RepeatedAppendError}), {@link AppendTooLargeError}, {@link InvalidAppendError} (refused before anything is sent or
 * written), {@link EventStoreUnavailableError} (the outcome is unknown or, with `written: false`, nothing was written).
 */
export interface EventStore {
  /**
   * Appends events to one stream atomically and durably. A retry with the same event ids and the same expected revision (or "any") returns
   * the first result and writes nothing again. On EventStoreDB, only the last 16,384 events of a stream are recognised under "any". If only
   * some of the ids were written before, or in another place, the revision is wrong: {@link RepeatedAppendError} where the store can tell.
   * EventStoreDB does not look for ids in other places if the expected revision is exact and right.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly StoredEvent[]): Promise<AppendResult>;
  /** Reads one page of a stream; empty when the stream does not exist or ends before `from`. */
  readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]>;
  /**
   * The event at a position at which an event was read before; null: there is none. Some stores cannot read at other positions, and fail as
   * unavailable there.
   */
  eventAt(position: number): Promise<PersistedEvent | null>;
  /** Reads the log to its present end, page by page, in log order. The last page has `live: true` and may be empty. */
  readAll(options: ReadAllOptions): AsyncIterable<EventPage>;
  /**
   * Follows the log: catches up page by page, then goes live. It reconnects after a dropped connection and continues after the last page
   * taken, without losing or repeating events. A slow consumer is waited for.
   */
  subscribeAll(options: SubscribeAllOptions): AsyncIterable<EventPage>;
  /**
   * Position of the last event in the log; null: the log is empty. The store's own events are only included on request: no checkpoint
   * exceeds the position of the last event including those.
   */
  head(options?: HeadOptions): Promise<number | null>;
  /** Ends subscriptions, completes accepted requests, and releases files and connections. */
  close(): Promise<void>;
}

/** The stream is not at the revision that the append expected. */
export class WrongExpectedRevisionError extends Error {
  override readonly name: string = 'WrongExpectedRevisionError';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the last event; null: the stream does not exist. */
    readonly actual: number | null,
  ) {
    super(`Stream ${stream} is at revision ${actual ?? 'none'}, not ${expected}`);
  }
}

/**
 * Some of these events are already in the stream, before the expected revision: an earlier attempt wrote them. Only the embedded store,
 * which finds events by their ids, reports this. EventStoreDB compares only the events at the expected revision, and would append them
 * again.
 */
export class RepeatedAppendError extends WrongExpectedRevisionError {
  override readonly name = 'RepeatedAppendError';
  constructor(
    { stream, expected, actual }: WrongExpectedRevisionError,
    readonly earlier: Pick<PersistedEvent, 'id' | 'revision'>,
  ) {
    super(stream, expected, actual);
  }
}

/** The data of one append exceeds {@link MAX_APPEND_BYTES}. */
export class AppendTooLargeError extends Error {
  override readonly name = 'AppendTooLargeError';
  constructor(readonly bytes: number) {
    super(`An append of ${bytes} bytes of data exceeds ${MAX_APPEND_BYTES}`);
  }
}

/**
 * The append is malformed: it has no events, the same id twice, an id that is not a UUID, a stream or type that is empty or begins with
 * `$`, or data that is not JSON.
 */
export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError';
}

/** The store cannot handle the request: connection lost, disk full, deadline exceeded. */
export class EventStoreUnavailableError extends OperatorError {
  override readonly name = 'EventStoreUnavailableError';
  constructor(
    message: string,
    /** False when it is certain that nothing was written. */
    readonly written: 'unknown' | false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The revision of a stream's last event; -1: it has none. */
export async function lastRevision(store: Pick<EventStore, 'readStream'>, stream: string): Promise<number> {
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  return last?.revision ?? -1;
}

/** The stored events of a stream, from a revision (by default the first) to its present end, page by page. */
export async function* eventsOfStream(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  first = 0,
): AsyncGenerator<PersistedEvent> {
  for await (const page of pagesOfStream(store, stream, { from: first })) yield* page;
}

/** The stored events of a stream up to its present end, in pages; there is at least one, and the last may be empty. */
export async function* pagesOfStream(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  { from: first = 0, pageSize = MAX_PAGE }: { readonly from?: number; readonly pageSize?: number } = {},
): AsyncGenerator<readonly PersistedEvent[]> {
  for (let from = first; ;) {
    const page = await store.readStream(stream, { from, limit: pageSize });
    yield page;
    if (page.length < pageSize) return;
    from = page.at(-1)!.revision + 1;
  }
}
