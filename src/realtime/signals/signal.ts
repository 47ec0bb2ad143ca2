/** A short-lived message between processes, which is not an event to keep: plain JSON. */
export interface Signal {
  readonly type: string;
}

/** A signal as it is sent. */
export interface OutgoingSignal {
  readonly content: Signal;
  /** What it is about: of several signals with the same subject only the latest counts. */
  readonly subject: string;
  /** How long it is valid, in milliseconds. */
  readonly lifetime: number;
}
