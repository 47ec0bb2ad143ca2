/** What an e-mail mentions, by kind and id. */
export type EmailMention = `${'message' | 'user' | 'invitation'}:${number}`;

/** An e-mail, before it has a sender and a date. */
export interface Email {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end in `\n`. */
  readonly text: string;
  /** The same as an HTML document that loads nothing. */
  readonly html: string;
  /**
   * Everything that it mentions, its recipient included: once one of these is erased, an e-mail that is still
   * stored here is deleted.
   */
  readonly about: readonly EmailMention[];
  /**
   * Where the recipient can unsubscribe from e-mails of this kind, by a POST without logging in; absent: they
   * cannot.
   */
  readonly unsubscribeUrl?: string;
}

/** An e-mail that is ready to be sent. */
export interface OutgoingEmail extends Email {
  /** Id of the event that it is about: when it is sent again, the id is the same. */
  readonly id: string;
  /** `name <address>`, or an address. */
  readonly from: string;
  /** When it was requested: milliseconds since the UNIX epoch. */
  readonly date: number;
}
