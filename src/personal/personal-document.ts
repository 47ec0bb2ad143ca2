import type { draftTypes } from './events.js';

/** A draft as the read model keeps it. */
export type DraftDocument = {
  /** {@link personalDocumentId} of its writer and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly draftId: number;
  readonly type: (typeof draftTypes)[number];
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
};

/** A reminder that is awaited. */
export type ReminderDocument = {
  /** {@link personalDocumentId} of the person and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly reminderId: number;
  readonly messageId: number;
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Raw Markdown. */
  readonly content: string;
  readonly html: string;
};

/** Names a document by the person whose it is and its id among what is theirs. */
export function personalDocumentId(userId: number, id: number): string {
  return `${userId}:${id}`;
}
