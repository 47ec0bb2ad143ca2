import type { Email, EmailMention, OutgoingEmail } from './email.js';

/** Sends e-mails out of the server. */
export abstract class MailTransport {
  /**
   * Resolves when the next server has accepted the e-mail, or its file is written. Sending it again is
   * harmless if the recipient's program compares its `Message-ID`.
   *
   * @throws MailNotSentError
   */
  abstract send(email: OutgoingEmail): Promise<void>;
  /** Everything that e-mails stored here mention. */
  abstract subjects(): Promise<ReadonlySet<string>>;
  /**
   * Deletes stored e-mails that mention any of these, now and later. E-mails that a mail server accepted are
   * out of reach.
   */
  abstract forget(subjects: readonly EmailMention[]): Promise<void>;
  abstract close(): void;
}

/** What a failure means for this e-mail, and for the others. */
type MailFailure =
  /** It will never be accepted. */
  | 'refused'
  /** It was not accepted this time; other e-mails may be. */
  | 'delayed'
  /** The server did not even look at it. Unless others are accepted meanwhile, no e-mail can be sent at present. */
  | 'unreachable';

/**
 * An e-mail was not sent. The error's message contains a code, but never the e-mail, the server's reply or
 * the account at the server.
 */
export class MailNotSentError extends Error {
  override readonly name = 'MailNotSentError';
  constructor(
    readonly failure: MailFailure,
    /** A code of SMTP or of the network: `550`, `ECONNREFUSED`. */
    readonly reason: string,
  ) {
    super(`The e-mail was not sent (${reason})`);
  }
}

/** The `Message-ID` of an e-mail: constant, however often it is sent. */
export function messageId({ id, from }: Pick<OutgoingEmail, 'id' | 'from'>): string {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'palimpsest.localhost';
  return `<${id}@${domain}>`;
}

/**
 * The header fields by which mail programs offer to unsubscribe: `List-Unsubscribe` (RFC 2369), and
 * `List-Unsubscribe-Post` (RFC 8058) for a single click, which is valid only with an `https:` URL.
 *
 * @returns name and value of each
 */
export function unsubscribeHeaders({
  unsubscribeUrl: url,
}: Pick<Email, 'unsubscribeUrl'>): Record<string, string> {
  if (url === undefined) return {};
  const named = { 'List-Unsubscribe': `<${url}>` };
  return url.startsWith('https:')
    ? { ...named, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : named;
}
