import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import type { RawJson } from '../kernel/json.js';

/** A query of an account. Its members must be structured-cloneable. */
export interface CallersQuery {
  readonly caller: Caller;
}

/** A type of query that reader threads answer. */
export interface ReaderQuery<Asked extends CallersQuery, Result, Parts> {
  /** Its name identifies the type, between threads and in metrics. */
  readonly query: new (...parts: never[]) => Asked;
  handler(parts: Parts): { execute(query: Asked): Promise<Result> };
  /** Makes the fields of the reply. */
  reply(result: Result): SuccessFields | RawJson;
  /** Whether the query may take long: one thread is reserved for those that do not. Absent: it does not. */
  isLong?(query: Asked): boolean;
  /** Whether a command depends on the result, so that it is not cancelled when the client closes its connection. Absent: it is cancelled. */
  readonly isForCommand?: boolean;
  /** A description for the log when the query took long, without anything that people wrote. Absent: only its name is logged. */
  shape?(query: Asked): string;
}

/** A query of any type, as the table holds it. The types of input and result are checked where it is declared. */
export type AnyReaderQuery<Parts> = ReaderQuery<CallersQuery, unknown, Parts>;

/**
 * Looks up a type of query by name.
 *
 * @throws Error for a query that reader threads do not answer
 */
export type ReaderQueries<Parts = never> = (name: string) => AnyReaderQuery<Parts>;
