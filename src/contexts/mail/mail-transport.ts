import type { LetterSubject, PostedLetter } from './letter.js';

/** Where letters leave the server. */
export abstract class MailTransport {
  /**
   * Resolves when the next server has taken the letter, or it lies in its file. Sending a letter again is harmless where the
   * recipient goes by its `Message-ID`.
   *
   * @throws MailNotSentError
   */
  abstract send(letter: PostedLetter): Promise<void>;
  /** What the letters tell of that lie here. */
  abstract subjects(): Promise<ReadonlySet<string>>;
  /** Removes the letters that tell of any of these, and keeps none that is sent later. What a mail server took is gone. */
  abstract forget(subjects: readonly LetterSubject[]): Promise<void>;
  abstract close(): void;
}

/** What a failure to send means for the letter, and for those after it. */
export type MailFailure =
  /** It will never be taken. */
  | 'refused'
  /** It was not taken this time; others may be. */
  | 'delayed'
  /** No letter can be sent now. */
  | 'unreachable';

/** A letter was not sent. The message names a code and never the letter, the server's words or the account at the server. */
export class MailNotSentError extends Error {
  override readonly name = 'MailNotSentError';
  constructor(
    readonly failure: MailFailure,
    /** A code of SMTP or of the network: `550`, `ECONNREFUSED`. */
    readonly reason: string,
  ) {
    super(`A letter was not sent (${reason})`);
  }
}
