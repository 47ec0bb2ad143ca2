/** What processes tell each other of, though it is no fact to keep: plain JSON. */
export interface Signal {
  readonly type: string;
}

/** A signal as it is sent. */
export interface OutgoingSignal {
  readonly content: Signal;
  /** What it is about: of several about the same only the latest counts. */
  readonly subject: string;
  /** For how long it is worth something, in milliseconds. */
  readonly lifetime: number;
}
