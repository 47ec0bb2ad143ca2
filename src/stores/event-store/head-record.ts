/** An event that was just appended, as the record of the log's end takes note of it. */
export interface NotedEvent {
  /** Its public hash, hexadecimal; absent: it has none. */
  readonly hash?: string;
  readonly position: number;
}

/**
 * What the record of the log's end becomes with an append.
 *
 * @param record what it was; null: there is none yet
 * @param options `isFirst`: the log was empty before
 * @returns null: it is left as it is, because there is none to go on from, or because nobody with the server's key wrote it
 */
export type AdvanceRecord = (
  record: string | null,
  appended: readonly NotedEvent[],
  options: { readonly isFirst: boolean },
) => string | null;

/**
 * Where the record of the log's end is kept: one short text that says how many events there are and what they come to,
 * authenticated under the server's key. It may lag behind the log and never leads.
 */
export interface HeadRecords {
  /** True where the store advances it in the same transaction as the events: then it lags behind nothing. */
  readonly isExact: boolean;
  read(): Promise<string | null>;
  write(record: string): Promise<void>;
}
