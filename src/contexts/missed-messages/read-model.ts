import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { MissedTrigger } from '../../events/missed-messages.js';

/** The messages about which absent people must be notified. */
export const missedMessagesModel: ModelDefinition = {
  name: 'missed-messages',
  version: 2,
  collections: [
    { name: 'mails', indexes: [{ key: { dueAt: 1 } }, { key: { userId: 1, messageId: 1 } }] },
    { name: 'pushes', indexes: [{ key: { notedAt: 1 } }] },
    { name: 'shown', indexes: [{ key: { userId: 1, messageId: 1 } }] },
  ],
};

/** A message that may need an e-mail to a person. */
export type MissedMailDocument = {
  /** {@link missedId} */
  readonly _id: string;
  readonly userId: number;
  readonly messageId: number;
  readonly trigger: MissedTrigger;
  /** When the e-mail is sent at the earliest: milliseconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Milliseconds since the UNIX epoch. */
  readonly notedAt: number;
};

/** A message that may need a push notification to a person. */
export type MissedPushDocument = Omit<MissedMailDocument, 'dueAt'>;

/** A message whose notification a person's devices show. */
export type ShownDocument = Pick<MissedMailDocument, '_id' | 'userId' | 'messageId'>;

/** The id of a document about one person and one message. */
export function missedId(userId: number, messageId: number): string {
  return `${userId}:${messageId}`;
}
