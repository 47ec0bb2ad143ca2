import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const messageId = z.number().int().nonnegative();

/**
 * Subscriptions of the same request in other channels, each of which is a stream of its own: a process
 * manager completes them after this event, so that a crash leaves nothing half done. Empty in events of the
 * process manager itself.
 */
export const furtherSubscriptions = z.array(
  z.strictObject({ channelId: id, userIds: z.array(id), color: z.string().nullable() }),
);
export type FurtherSubscription = z.infer<typeof furtherSubscriptions>[number];

/** Stream `channel-<id>`. */
export const UsersSubscribed = defineEvent({
  type: 'UsersSubscribed',
  description: 'People were subscribed to a channel.',
  schema: z.strictObject({
    channelId: id,
    userIds: z.array(id),
    /** They receive the messages after this one: the last message in the log when this was decided. */
    afterMessageId: messageId,
    color: z.string().nullable(),
    /** Whether people whom somebody else subscribed get a notice. */
    notify: z.boolean(),
    continuation: furtherSubscriptions,
  }),
  example: { channelId: 1, userIds: [5, 6], afterMessageId: 41, color: null, notify: true, continuation: [] },
});

/** Stream `channel-<id>`. */
export const UsersUnsubscribed = defineEvent({
  type: 'UsersUnsubscribed',
  description: 'People unsubscribed from a channel or were unsubscribed from it.',
  schema: z.strictObject({
    channelId: id,
    userIds: z.array(id),
    /** The last message that they received: the last one in the log when this was decided. */
    throughMessageId: messageId,
    /** See {@link furtherSubscriptions}: other channels that they leave. */
    continuation: z.array(z.strictObject({ channelId: id, userIds: z.array(id) })),
  }),
  example: { channelId: 1, userIds: [6], throughMessageId: 57, continuation: [] },
});

/** The properties that a person can set for one channel. */
export const subscriptionProperties = [
  'color',
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;

const propertyChange = {
  channelId: id,
  property: z.enum(subscriptionProperties),
  value: z.union([z.boolean(), z.string()]),
};

/** Stream `channel-<id>`. */
export const SubscriptionPropertyChanged = defineEvent({
  type: 'SubscriptionPropertyChanged',
  description: 'A person changed settings of their subscription to a channel.',
  schema: z.strictObject({
    ...propertyChange,
    userId: id,
    /** See {@link furtherSubscriptions}: the person's settings of other channels. */
    continuation: z.array(z.strictObject(propertyChange)),
  }),
  example: { channelId: 1, userId: 3, property: 'pin_to_top', value: true, continuation: [] },
});

export const subscriptionEvents = [UsersSubscribed, UsersUnsubscribed, SubscriptionPropertyChanged] as const;

export type SubscriptionEvent = EventOf<(typeof subscriptionEvents)[number]>;
