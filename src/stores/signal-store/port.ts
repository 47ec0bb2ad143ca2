/** The latest that is to be said of a subject, until it is worth nothing any more. */
export interface StoredSignal {
  /** What it is about: a later signal about the same takes its place. */
  readonly subject: string;
  /** When it was put, by the clock of who put it: milliseconds since the UNIX epoch. */
  readonly at: number;
  /** From when on it is worth nothing: milliseconds since the UNIX epoch. */
  readonly until: number;
  /** Which process put it. */
  readonly from: string;
  /** Plain JSON. */
  readonly content: object;
}

/**
 * What processes tell each other of that is no fact to keep (docs/adr/0017). It holds one signal a subject, loses nothing that
 * anybody would miss if it loses everything, and is in no backup.
 */
export interface SignalStore {
  /** Puts signals in place of what was there about their subjects. */
  put(signals: readonly StoredSignal[]): Promise<void>;
  /** The newest that others put at or after a time, and that are worth something at another, oldest first. */
  since(
    time: number,
    reader: { readonly self: string; readonly now: number },
  ): Promise<readonly StoredSignal[]>;
  /** Removes what is worth nothing any more. */
  forgetBefore(time: number): Promise<void>;
  close(): Promise<void>;
}

/** How many signals are read at once at most; older ones are left out. */
export const maxSignals = 50_000;
