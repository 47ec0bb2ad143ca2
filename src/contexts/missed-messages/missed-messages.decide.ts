import type {
  MissedMessagePushDropped,
  MissedMessagePushed,
  MissedMessagesMailed,
  NotificationsRemoved,
} from '../../events/missed-messages.js';
import type { EventOf } from '../../kernel/event.js';
import type { PushedPeople, HandledMessages, HandlingEvent } from './missed-messages.state.js';

/** Nobody gets two e-mails about one message, even if the read model lags. */
export function decideHandled(
  handled: HandledMessages,
  { userId, messageIds, settledIds }: EventOf<typeof MissedMessagesMailed>['data'],
): readonly HandlingEvent[] {
  const known = new Set(handled);
  const isNew = (id: number): boolean => !known.has(id);
  const newIds = settledIds.filter(isNew);
  if (newIds.length === 0) return [];
  const newUnread = messageIds.filter(isNew);
  return newUnread.length === 0
    ? [{ type: 'MissedMessagesPassed', data: { userId, settledIds: newIds } }]
    : [{ type: 'MissedMessagesMailed', data: { userId, messageIds: newUnread, settledIds: newIds } }];
}

/** No events if all of them were recorded before. */
export function decidePushed(
  handled: PushedPeople,
  data: EventOf<typeof MissedMessagePushed>['data'],
): readonly EventOf<typeof MissedMessagePushed>[] {
  const isHandled = [...data.userIds, ...data.passedUserIds].every((id) => handled.has(id));
  return isHandled ? [] : [{ type: 'MissedMessagePushed', data }];
}

/** No events if all of them were recorded before. */
export function decideDropPushes(
  handled: PushedPeople,
  { messageId, userIds }: EventOf<typeof MissedMessagePushDropped>['data'],
): readonly EventOf<typeof MissedMessagePushDropped>[] {
  const newIds = userIds.filter((id) => !handled.has(id));
  return newIds.length === 0
    ? []
    : [{ type: 'MissedMessagePushDropped', data: { messageId, userIds: newIds } }];
}

/** Notifications of messages that a person has read were removed from their devices. */
export function decideRemoveNotifications(
  userId: number,
  messageIds: readonly number[],
): readonly EventOf<typeof NotificationsRemoved>[] {
  return [{ type: 'NotificationsRemoved', data: { userId, messageIds: [...messageIds] } }];
}
