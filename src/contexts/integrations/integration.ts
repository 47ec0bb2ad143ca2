import { fenceFor, plainMarkdown } from '../../markdown/written-names.js';

/** The request of another program, with the relevant header. */
interface IncomingPayload {
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

/** Maximum length of foreign text in a message, in code points. */
const MAX_LENGTH = 8_000;

/** A URL that needs no escaping in a link. */
const plainAddress = /^https?:\/\/[^\s()<>[\]]+$/;

/** A link, or only the text if the URL cannot be used in a link. */
export function link(text: string, address: string | null | undefined): string {
  const label = plainMarkdown(text.slice(0, MAX_LENGTH));
  return address != null && plainAddress.test(address) ? `[${label}](${address})` : label;
}

/** A code block with a fence that its text cannot close. */
export function fenced(language: string, text: string): string {
  const shown = text.slice(0, MAX_LENGTH);
  const fence = fenceFor(shown);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** The beginning of a text, on one line. */
export function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}
