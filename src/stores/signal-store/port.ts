/** The latest signal about a subject, until it expires. */
export interface StoredSignal {
  /** What it is about: a later signal with the same subject replaces it. */
  readonly subject: string;
  /** When it was sent, by the sender's clock: milliseconds since the UNIX epoch. */
  readonly at: number;
  /** When it expires: milliseconds since the UNIX epoch. */
  readonly until: number;
  /** The process that sent it. */
  readonly from: string;
  /** Plain JSON. */
  readonly content: object;
}

/**
 * Exchanges signals between processes that are not facts to store (docs/adr/0017). There is one signal per subject. Losing all of them does
 * no harm, and backups do not contain them.
 */
export interface SignalStore {
  /** Stores signals, replacing earlier ones with the same subjects. */
  put(signals: readonly StoredSignal[]): Promise<void>;
  /** The newest signals of other processes that were sent at or after one time and expire after another, oldest first. */
  since(
    time: number,
    reader: { readonly self: string; readonly now: number },
  ): Promise<readonly StoredSignal[]>;
  /** Removes expired signals. */
  forgetBefore(time: number): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of signals read at once; older ones are omitted. */
export const MAX_SIGNALS = 50_000;
