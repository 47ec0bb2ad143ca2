import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type {
  MessageMissed,
  MissedMessagePushed,
  MissedMessagesMailed,
  MissedMessagesPassed,
} from '../src/missed-messages/events.js';
import {
  missedId,
  type MissedMailDocument,
  type MissedPushDocument,
} from '../src/missed-messages/missed-document.js';
import type { Change, Projection } from './engine/projection.js';

type Missed = RecordedEvent<EventOf<typeof MessageMissed>>;
type Pushed = RecordedEvent<EventOf<typeof MissedMessagePushed>>;
type Settled = RecordedEvent<EventOf<typeof MissedMessagesMailed> | EventOf<typeof MissedMessagesPassed>>;

/** What people who were away are to be told of. */
export const missedMessagesProjection: Projection = {
  name: 'missed-messages',
  version: 1,
  collections: [
    { name: 'mails', indexes: [{ key: { dueAt: 1 } }, { key: { userId: 1, messageId: 1 } }] },
    { name: 'pushes', indexes: [{ key: { notedAt: 1 } }] },
  ],
  on: {
    MessageMissed: { apply: (event) => missed(event as Missed) },
    MissedMessagePushed: { apply: (event) => pushed(event as Pushed) },
    MissedMessagesMailed: { apply: (event) => settled(event as Settled) },
    MissedMessagesPassed: { apply: (event) => settled(event as Settled) },
  },
};

function missed({ data: { messageId, mail, push }, metadata: { at: notedAt } }: Missed): readonly Change[] {
  const mails = mail.map(({ userId, trigger, dueAt }) => {
    const put: MissedMailDocument = {
      _id: missedId(userId, messageId),
      userId,
      messageId,
      trigger,
      dueAt,
      notedAt,
    };
    return { collection: 'mails', put };
  });
  const pushes = push.map(({ userId, trigger }) => {
    const put: MissedPushDocument = {
      _id: missedId(userId, messageId),
      userId,
      messageId,
      trigger,
      notedAt,
    };
    return { collection: 'pushes', put };
  });
  return [...mails, ...pushes];
}

function pushed({ data: { messageId, userIds, passedUserIds } }: Pushed): readonly Change[] {
  return [...userIds, ...passedUserIds].map((userId) => ({
    collection: 'pushes',
    remove: missedId(userId, messageId),
  }));
}

function settled({ data: { userId, settledIds } }: Settled): readonly Change[] {
  return settledIds.map((messageId) => ({ collection: 'mails', remove: missedId(userId, messageId) }));
}
