import {
  missedMessagesModel,
  missedId,
  type MissedMailDocument,
  type MissedPushDocument,
  type ShownDocument,
} from '../src/contexts/missed-messages/read-model.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import {
  MessageMissed,
  MissedMessagePushDropped,
  MissedMessagePushed,
  MissedMessagesMailed,
  MissedMessagesPassed,
  NotificationsRemoved,
} from '../src/events/missed-messages.js';
import { on, type Change, type Projection } from './engine/projection.js';

/** What absent people must be notified of. */
export const missedMessagesProjection: Projection = {
  ...missedMessagesModel,
  isForBackgroundWork: true,
  on: handlers(
    on(MessageMissed, { apply: missed }),
    on(MissedMessagePushed, { apply: pushed }),
    on(MissedMessagePushDropped, { apply: dropped }),
    on(NotificationsRemoved, { apply: takenBack }),
    on([MissedMessagesMailed, MissedMessagesPassed], { apply: settled }),
  ),
};

function missed({
  data: { messageId, mail, push },
  metadata: { at: notedAt },
}: Recorded<typeof MessageMissed>): readonly Change[] {
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

function pushed({
  data: { messageId, userIds, passedUserIds },
}: Recorded<typeof MissedMessagePushed>): readonly Change[] {
  const shown = userIds.map((userId) => {
    const put: ShownDocument = { _id: missedId(userId, messageId), userId, messageId };
    return { collection: 'shown', put };
  });
  return [...shown, ...withoutPushes(messageId, [...userIds, ...passedUserIds])];
}

function dropped({
  data: { messageId, userIds },
}: Recorded<typeof MissedMessagePushDropped>): readonly Change[] {
  return withoutPushes(messageId, userIds);
}

function withoutPushes(messageId: number, userIds: readonly number[]): readonly Change[] {
  return userIds.map((userId) => ({ collection: 'pushes', remove: missedId(userId, messageId) }));
}

function takenBack({
  data: { userId, messageIds },
}: Recorded<typeof NotificationsRemoved>): readonly Change[] {
  return messageIds.map((messageId) => ({ collection: 'shown', remove: missedId(userId, messageId) }));
}

function settled({
  data: { userId, settledIds },
}: Recorded<typeof MissedMessagesMailed | typeof MissedMessagesPassed>): readonly Change[] {
  return settledIds.map((messageId) => ({ collection: 'mails', remove: missedId(userId, messageId) }));
}
