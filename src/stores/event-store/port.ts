import type { JsonObject } from '../../kernel/json.js';
import { OperatorError } from '../../kernel/errors.js';

/**
 * What an append expects of its stream: the revision of its last event, that it has none ("no-stream"), or nothing
 * ("any", for the `messages` stream alone: its writers never conflict).
 */
export type ExpectedRevision = number | 'no-stream' | 'any';

/** The revision of an append's first event, where it expects one of its stream. */
export function firstRevision(expected: Exclude<ExpectedRevision, 'any'>): number {
  return expected === 'no-stream' ? 0 : expected + 1;
}

/** An event in stored form, as the codec makes it: validated, encrypted and hashed. */
export interface StoredEvent {
  /** A lower-case UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** A stored event with its place in the log. */
export interface PersistedEvent extends StoredEvent {
  readonly stream: string;
  /** Place in its stream, from 0 and dense. */
  readonly revision: number;
  /** Place in the whole log: rising in the order in which readers see events; a safe integer, not dense on every store. */
  readonly position: number;
  /** Why it cannot be read, where what the store holds of it was damaged: it stands in its place with what is left. Absent: it can. */
  readonly unreadable?: string;
}

/** Where the last event of an append came to stand. */
export interface AppendResult {
  readonly revision: number;
  /**
   * A reader that has come to this position has read the whole append. Where it went to EventStoreDB together with others, this is the position of
   * the last event of all of them.
   */
  readonly position: number;
}

/** Options of {@link EventStore.readStream}. */
export interface ReadStreamOptions {
  /** First revision to return; absent: the first event, or the last one when reading backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** At most this many events, 1 to {@link MAX_PAGE}. */
  readonly limit: number;
}

/** Options of {@link EventStore.readAll}. */
export interface ReadAllOptions {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  /** Only these types; absent: every type. */
  readonly types?: readonly string[];
  /** At most this many events a page, 1 to {@link MAX_PAGE}. */
  readonly pageSize?: number;
}

/** Options of {@link EventStore.subscribeAll}. */
export interface SubscribeAllOptions extends ReadAllOptions {
  /** Ends the subscription; iteration then finishes normally. */
  readonly signal: AbortSignal;
}

/** Options of {@link EventStore.head}. */
export interface HeadOptions {
  /** Whether the store's own events count. */
  readonly withSystemEvents?: boolean;
}

/** A page of the log. */
export interface EventPage {
  /** In log order; empty when only the position moved (events of other types went by). */
  readonly events: readonly PersistedEvent[];
  /**
   * Everything of the wanted types up to and including this position has been delivered: a checkpoint to resume after.
   * Filtered by types, EventStoreDB moves it past other events only every few hundred, also when live.
   */
  readonly position: number;
  /** True once everything that was in the log when the page was read has been delivered. */
  readonly live: boolean;
}

/** The most events that one page holds. */
export const MAX_PAGE = 4096;

/** The most bytes of data (as JSON) that one append holds, on every adapter. */
export const MAX_APPEND_BYTES = 1_048_576;

/**
 * An append-only log of streams. Both adapters pass one contract suite.
 *
 * Errors: {@link WrongExpectedRevisionError}, {@link AppendTooLargeError}, {@link InvalidAppendError} (refused before
 * anything is sent or written), {@link EventStoreUnavailableError} (nothing is known about the outcome, or, with
 * `written: false`, nothing was written).
 */
export interface EventStore {
  /**
   * Appends events to one stream: all of them durably, or none. Retrying with the same event ids and the same expected
   * revision (or "any") answers as the first time and writes nothing again. On EventStoreDB the last 16,384 events of a stream are
   * known under "any", not all of them. Where only some of the ids were written before, or elsewhere, the revision is wrong.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly StoredEvent[]): Promise<AppendResult>;
  /** Reads one page of a stream; empty when the stream does not exist or ends before `from`. */
  readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]>;
  /** Reads the log to its present end, page by page, in log order. The last page has `live: true` (it may be empty). */
  readAll(options: ReadAllOptions): AsyncIterable<EventPage>;
  /**
   * Follows the log: catches up page by page, then goes live. Reconnects by itself after a dropped connection and
   * continues after the last page that was taken; nothing is lost or doubled. A consumer that is slow is waited for.
   */
  subscribeAll(options: SubscribeAllOptions): AsyncIterable<EventPage>;
  /**
   * Position of the last event in the log, or null when it is empty. System events of the store do not count, unless they are
   * asked for: no checkpoint is ahead of the last of them all.
   */
  head(options?: HeadOptions): Promise<number | null>;
  /** Ends subscriptions, finishes what was accepted, and releases files and connections. */
  close(): Promise<void>;
}

/** The stream is not where the append expected it. */
export class WrongExpectedRevisionError extends Error {
  override readonly name = 'WrongExpectedRevisionError';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the last event; null when the stream does not exist. */
    readonly actual: number | null,
  ) {
    super(`Stream ${stream} is at revision ${actual ?? 'none'}, not ${expected}`);
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
 * The append is malformed: no events, the same id twice, an id that is no UUID, an empty stream or type or one that
 * begins with `$`, or data that is not JSON.
 */
export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError';
}

/** The store cannot take the request now: connection lost, disk full, deadline exceeded. */
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
