/** What a letter tells of, by kind and id. */
export type LetterSubject = `${'message' | 'user' | 'invitation'}:${number}`;

/** What somebody is written, before it has a sender and a date. */
export interface Letter {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end in `\n`. */
  readonly text: string;
  /** The same as a document that loads nothing. */
  readonly html: string;
  /** Whom and what it names, its recipient included: once one of them is erased, a letter that still lies here goes. */
  readonly about: readonly LetterSubject[];
  /** Where its recipient ends letters of this kind, by a POST and without logging in; absent: they cannot be ended. */
  readonly unsubscribeUrl?: string;
}

/** A letter on its way. */
export interface PostedLetter extends Letter {
  /** The event that it was written because of: the same letter, sent again, has the same id. */
  readonly id: string;
  /** `name <address>`, or an address. */
  readonly from: string;
  /** When it was asked for: milliseconds since the UNIX epoch. */
  readonly date: number;
}
