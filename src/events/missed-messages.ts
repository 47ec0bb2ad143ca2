import { z } from 'zod';
import { defineEvent, isEvent, type DomainEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Why an absent person is notified of a message. */
const missedTriggers = [
  'direct_message',
  'mentioned',
  'wildcard_mentioned',
  'followed_topic',
  'channel',
] as const;
const trigger = z.enum(missedTriggers);
export type MissedTrigger = z.infer<typeof trigger>;

/** Stream `missed-<message id>`. */
export const MessageMissed = defineEvent({
  type: 'MessageMissed',
  description:
    'A message was sent while people whom it concerns were away. They are notified by e-mail or on their devices.',
  schema: z.strictObject({
    messageId: id,
    /** Who gets an e-mail, and when at the earliest: milliseconds since the UNIX epoch. */
    mail: z.array(z.strictObject({ userId: id, trigger, dueAt: z.number().int() })),
    /** Who gets a push notification. */
    push: z.array(z.strictObject({ userId: id, trigger })),
  }),
  example: {
    messageId: 41,
    mail: [{ userId: 3, trigger: 'mentioned', dueAt: 1_767_225_720_000 }],
    push: [{ userId: 3, trigger: 'mentioned' }],
  },
});

/** Stream `missed-<message id>`. */
export const MissedMessagePushed = defineEvent({
  type: 'MissedMessagePushed',
  description: 'Notifications of a message were sent to devices, or were cancelled.',
  schema: z.strictObject({
    messageId: id,
    /** Whose devices got one. */
    userIds: z.array(id),
    /** People who have read the message meanwhile, or have no device. */
    passedUserIds: z.array(id),
  }),
  example: { messageId: 41, userIds: [3], passedUserIds: [] },
});

/** Stream `missed-<message id>`. */
export const MissedMessagePushDropped = defineEvent({
  type: 'MissedMessagePushDropped',
  description:
    'Notifications of an unread message were dropped: they could not be sent to devices within an hour.',
  schema: z.strictObject({
    messageId: id,
    /** Whose devices got none. */
    userIds: z.array(id).min(1),
  }),
  example: { messageId: 41, userIds: [3] },
});

/** How many notifications an event says were dropped. */
export function droppedNotificationsIn(event: DomainEvent): number {
  return isEvent(event, MissedMessagePushDropped) ? event.data.userIds.length : 0;
}

const settled = {
  userId: id,
  /** Messages that need no further check, including those that were read meanwhile or deleted. */
  settledIds: z.array(id),
} as const;

/** Stream `missed-mail-<user id>`. An e-mail follows. */
export const MissedMessagesMailed = defineEvent({
  type: 'MissedMessagesMailed',
  description: 'Somebody is notified by e-mail of unread messages that were sent while they were away.',
  schema: z.strictObject({ ...settled, messageIds: z.array(id) }),
  example: { userId: 3, messageIds: [41, 43], settledIds: [41, 42, 43] },
});

/** Stream `missed-mail-<user id>`. */
export const MissedMessagesPassed = defineEvent({
  type: 'MissedMessagesPassed',
  description:
    'A notification by e-mail was cancelled because its messages were read or are no longer accessible.',
  schema: z.strictObject(settled),
  example: { userId: 3, settledIds: [41] },
});

/** Stream `notifications-<user id>`. */
export const NotificationsRemoved = defineEvent({
  type: 'NotificationsRemoved',
  description:
    'Somebody read messages whose notifications their devices show. The devices remove these notifications.',
  schema: z.strictObject({ userId: id, messageIds: z.array(id).min(1) }),
  example: { userId: 3, messageIds: [41, 43] },
});

export const missedMessageEvents = [
  MessageMissed,
  MissedMessagePushed,
  MissedMessagePushDropped,
  MissedMessagesMailed,
  MissedMessagesPassed,
  NotificationsRemoved,
] as const;
export type MissedMessageEvent = EventOf<(typeof missedMessageEvents)[number]>;
