/** What an e-mail tells of, by kind and id. */
export type EmailMention = `${'message' | 'user' | 'invitation'}:${number}`;

/** What somebody is written, before it has a sender and a date. */
export interface Email {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end in `\n`. */
  readonly text: string;
  /** The same as a document that loads nothing. */
  readonly html: string;
  /** Whom and what it names, its recipient included: once one of them is erased, an e-mail that still lies here goes. */
  readonly about: readonly EmailMention[];
  /** Where its recipient ends e-mails of this kind, by a POST and without logging in; absent: they cannot be ended. */
  readonly unsubscribeUrl?: string;
}

/** An e-mail on its way. */
export interface OutgoingEmail extends Email {
  /** The event that it was written because of: the same e-mail, sent again, has the same id. */
  readonly id: string;
  /** `name <address>`, or an address. */
  readonly from: string;
  /** When it was asked for: milliseconds since the UNIX epoch. */
  readonly date: number;
}
