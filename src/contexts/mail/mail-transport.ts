import type { EmailMention, OutgoingEmail } from './email.js';

/** Where e-mails leave the server. */
export abstract class MailTransport {
  /**
   * Resolves when the next server has taken the e-mail, or it lies in its file. Sending an e-mail again is harmless where the
   * recipient goes by its `Message-ID`.
   *
   * @throws MailNotSentError
   */
  abstract send(email: OutgoingEmail): Promise<void>;
  /** What the e-mails tell of that lie here. */
  abstract subjects(): Promise<ReadonlySet<string>>;
  /** Removes the e-mails that tell of any of these, and keeps none that is sent later. What a mail server took is gone. */
  abstract forget(subjects: readonly EmailMention[]): Promise<void>;
  abstract close(): void;
}

/** What a failure to send means for the e-mail, and for those after it. */
export type MailFailure =
  /** It will never be taken. */
  | 'refused'
  /** It was not taken this time; others may be. */
  | 'delayed'
  /** No e-mail can be sent now. */
  | 'unreachable';

/** An e-mail was not sent. The message names a code and never the e-mail, the server's words or the account at the server. */
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
