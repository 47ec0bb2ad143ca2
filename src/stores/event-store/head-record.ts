/** An appended event, for the record of the log's end. */
interface NotedEvent {
  /** Its public hash, hexadecimal; absent: it has none. */
  readonly hash?: string;
  readonly position: number;
}

/**
 * Updates the record of the log's end with an append.
 *
 * @param record the previous record; null: there is none yet
 * @param options `isFirst`: the log was empty before
 * @returns null: the record is left unchanged, because there is no previous one, or because it was not written with the server's key
 */
export type AdvanceRecord = (
  record: string | null,
  appended: readonly NotedEvent[],
  options: { readonly isFirst: boolean },
) => string | null;

/**
 * Stores the record of the log's end: a short text with the number of events and their Merkle tree's peaks, authenticated under the
 * server's key. It may be behind the log, but never ahead.
 */
export interface HeadRecords {
  /** True when the store updates it in the same transaction as the events, so that it is never behind. */
  readonly isExact: boolean;
  read(): Promise<string | null>;
  write(record: string): Promise<void>;
}
