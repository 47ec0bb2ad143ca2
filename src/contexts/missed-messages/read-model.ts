import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { MissedTrigger } from '../../events/missed-messages.js';

/** What people who were away are to be told of. */
export const missedMessagesModel: ModelDefinition = {
  name: 'missed-messages',
  version: 2,
  collections: [
    { name: 'mails', indexes: [{ key: { dueAt: 1 } }, { key: { userId: 1, messageId: 1 } }] },
    { name: 'pushes', indexes: [{ key: { notedAt: 1 } }] },
    { name: 'shown', indexes: [{ key: { userId: 1, messageId: 1 } }] },
  ],
};

/** A message that somebody may have to be written about. */
export type MissedMailDocument = {
  /** {@link missedId} */
  readonly _id: string;
  readonly userId: number;
  readonly messageId: number;
  readonly trigger: MissedTrigger;
  /** When the e-mail is written at the earliest: milliseconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Milliseconds since the UNIX epoch. */
  readonly notedAt: number;
};

/** A message that somebody's devices may have to be told of. */
export type MissedPushDocument = Omit<MissedMailDocument, 'dueAt'>;

/** A message that somebody's devices show a notification of. */
export type ShownDocument = Pick<MissedMailDocument, '_id' | 'userId' | 'messageId'>;

/** Names what concerns one person and one message. */
export function missedId(userId: number, messageId: number): string {
  return `${userId}:${messageId}`;
}
