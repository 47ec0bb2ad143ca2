/** The request of another program, with the relevant header. */
export interface IncomingPayload {
  /** Parsed JSON. */
  readonly body: unknown;
  /** The JSON text. */
  readonly text: string;
  /** The kind of event from a header; null: none. */
  readonly event: string | null;
}

/** The resulting message. */
export interface IncomingText {
  /** The kind of event, by which senders filter; null: the integration has only one kind. */
  readonly event: string | null;
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
}

/** Turns requests of another program into messages. */
export interface Integration {
  readonly displayName: string;
  /** The header with the kind of event; null: none. */
  readonly eventHeader: string | null;
  /** The kinds of events, for clients that offer a choice; empty: there is only one. */
  readonly events: readonly string[];
  /**
   * Pure. Null: no message.
   *
   * @throws ZodError for a payload of another form
   */
  readonly read: (payload: IncomingPayload) => IncomingText | null;
}
