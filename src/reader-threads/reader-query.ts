import type { Caller } from '../http/caller.js';

/** A query that somebody sent; its members can be cloned to another thread. */
export interface CallersQuery {
  readonly caller: Caller;
}

/** A kind of query that reader threads answer. */
export interface ReaderQuery<Asked extends CallersQuery, Result, Parts> {
  /** Its name names the kind, between threads and in the metrics. */
  readonly query: new (...parts: never[]) => Asked;
  handler(parts: Parts): { execute(query: Asked): Promise<Result> };
  /** The members of the reply as JSON text: see {@link RawEnvelope}. */
  write(result: Result): string;
  /** Whether it may take long: then it leaves a thread to what does not. Absent: it does not. */
  isLong?(query: Asked): boolean;
  /** What the log says of one that took long: nothing that somebody wrote. Absent: its name is enough. */
  shape?(query: Asked): string;
}

/** Any kind of query, as the table of kinds holds it: the types of its input and result are known where it is declared. */
export type AnyReaderQuery<Parts> = ReaderQuery<CallersQuery, unknown, Parts>;

/**
 * The kind of a query, by its name.
 *
 * @throws Error for a query that reader threads do not answer
 */
export type ReaderQueries<Parts = never> = (name: string) => AnyReaderQuery<Parts>;
