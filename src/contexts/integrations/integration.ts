/** What another program sent, and what its headers say of it. */
export interface IncomingPayload {
  /** Parsed JSON. */
  readonly body: unknown;
  /** The same before it was parsed. */
  readonly text: string;
  /** What kind of event it says that it is, where that stands in a header; null: nowhere. */
  readonly event: string | null;
}

/** What becomes of it. */
export interface IncomingText {
  /** The name of what happened, by which events are chosen; null: this integration has one kind only. */
  readonly event: string | null;
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
}

/** How what another program sends becomes a message. */
export interface Integration {
  readonly displayName: string;
  /** The header that names the event; null: none. */
  readonly eventHeader: string | null;
  /** Names of events, for clients that offer a choice; empty: there is one kind only. */
  readonly events: readonly string[];
  /** Pure. Null: there is nothing to say. @throws ZodError for what is not of the kind */
  readonly read: (payload: IncomingPayload) => IncomingText | null;
}
