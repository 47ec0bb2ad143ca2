import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { groupSettingSchema } from './values/group-setting.js';

const id = z.number().int().positive();
const messageId = z.number().int().nonnegative();

/** The permissions of a channel. */
export const channelPermissionsSchema = z.strictObject({
  can_add_subscribers_group: groupSettingSchema,
  can_administer_channel_group: groupSettingSchema,
  can_create_topic_group: groupSettingSchema,
  can_delete_any_message_group: groupSettingSchema,
  can_delete_own_message_group: groupSettingSchema,
  can_move_messages_out_of_channel_group: groupSettingSchema,
  can_move_messages_within_channel_group: groupSettingSchema,
  can_remove_subscribers_group: groupSettingSchema,
  can_resolve_topics_group: groupSettingSchema,
  can_send_message_group: groupSettingSchema,
  can_subscribe_group: groupSettingSchema,
});
export type ChannelPermissions = z.infer<typeof channelPermissionsSchema>;

export const topicsPolicySchema = z.enum([
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
]);
export type TopicsPolicy = z.infer<typeof topicsPolicySchema>;

/** Who can see a channel and its history. */
export const channelPrivacySchema = z.strictObject({
  inviteOnly: z.boolean(),
  historyPublicToSubscribers: z.boolean(),
  isWebPublic: z.boolean(),
});
export type ChannelPrivacy = z.infer<typeof channelPrivacySchema>;

/**
 * Subscriptions of the same request in other channels, each of which is a stream of its own: a process
 * manager completes them after this event, so that a crash leaves nothing half done. Empty in events of the
 * process manager itself.
 */
const furtherSubscriptions = z.array(
  z.strictObject({ channelId: id, userIds: z.array(id), color: z.string().nullable() }),
);
export type FurtherSubscription = z.infer<typeof furtherSubscriptions>[number];

/** Stream `channels`. The id is the revision of this event plus one. */
export const ChannelCreated = defineEvent({
  type: 'ChannelCreated',
  description: 'A channel was created, with its settings and its first subscribers.',
  schema: z.strictObject({
    channelId: id,
    name: z.string(),
    description: z.string(),
    creatorId: id.nullable(),
    privacy: channelPrivacySchema,
    permissions: channelPermissionsSchema,
    topicsPolicy: topicsPolicySchema,
    /** Null: the organization's setting applies; -1: for ever. */
    messageRetentionDays: z.number().int().nullable(),
    folderId: id.nullable(),
    isDefault: z.boolean(),
    subscriberIds: z.array(id),
    /** The channel's colour for its first subscribers; null: each gets one by default. */
    color: z.string().nullable(),
    /** Whether its creation is announced outside of the channel too. */
    announced: z.boolean(),
    /** Subscriptions to existing channels; only the first channel of a request carries them. */
    continuation: furtherSubscriptions,
    /** Whether people whom somebody else subscribed to existing channels get a notice. */
    notify: z.boolean(),
  }),
  example: {
    channelId: 1,
    name: 'general',
    description: 'For **everything**',
    creatorId: 3,
    privacy: { inviteOnly: false, historyPublicToSubscribers: true, isWebPublic: false },
    permissions: {
      can_add_subscribers_group: 8,
      can_administer_channel_group: { direct_members: [3], direct_subgroups: [] },
      can_create_topic_group: 2,
      can_delete_any_message_group: 8,
      can_delete_own_message_group: 8,
      can_move_messages_out_of_channel_group: 8,
      can_move_messages_within_channel_group: 8,
      can_remove_subscribers_group: 6,
      can_resolve_topics_group: 8,
      can_send_message_group: 2,
      can_subscribe_group: 8,
    },
    topicsPolicy: 'inherit',
    messageRetentionDays: null,
    folderId: null,
    isDefault: false,
    subscriberIds: [3, 4],
    color: null,
    announced: false,
    continuation: [],
    notify: false,
  },
});

/** Stream `channels`. */
export const ChannelRenamed = defineEvent({
  type: 'ChannelRenamed',
  description: 'A channel was renamed.',
  schema: z.strictObject({ channelId: id, name: z.string(), previousName: z.string() }),
  example: { channelId: 1, name: 'everything', previousName: 'general' },
});

/** Stream `channels`. */
export const ChannelDescriptionChanged = defineEvent({
  type: 'ChannelDescriptionChanged',
  description: 'The description of a channel was changed.',
  schema: z.strictObject({ channelId: id, description: z.string(), previousDescription: z.string() }),
  example: {
    channelId: 1,
    description: 'What does not belong elsewhere',
    previousDescription: 'For **everything**',
  },
});

/** Stream `channels`. */
export const ChannelPrivacyChanged = defineEvent({
  type: 'ChannelPrivacyChanged',
  description:
    'A channel was made private or public, or the access of new subscribers to its earlier messages was changed.',
  schema: z.strictObject({
    channelId: id,
    privacy: channelPrivacySchema,
    previousPrivacy: channelPrivacySchema,
  }),
  example: {
    channelId: 1,
    privacy: { inviteOnly: true, historyPublicToSubscribers: false, isWebPublic: false },
    previousPrivacy: { inviteOnly: false, historyPublicToSubscribers: true, isWebPublic: false },
  },
});

/** Stream `channels`. */
export const ChannelPermissionsChanged = defineEvent({
  type: 'ChannelPermissionsChanged',
  description: 'The holders of some permissions of a channel were changed.',
  schema: z.strictObject({
    channelId: id,
    permissions: channelPermissionsSchema.partial(),
    /** The previous values of the same permissions. */
    previousPermissions: channelPermissionsSchema.partial(),
  }),
  example: {
    channelId: 1,
    permissions: { can_send_message_group: 6 },
    previousPermissions: { can_send_message_group: 2 },
  },
});

const channelProperties = z.strictObject({
  /** Null: the organization's setting applies; -1: for ever. */
  messageRetentionDays: z.number().int().nullable(),
  topicsPolicy: topicsPolicySchema,
  folderId: id.nullable(),
  isDefault: z.boolean(),
});
export type ChannelProperties = z.infer<typeof channelProperties>;

/** Stream `channels`. */
export const ChannelPropertiesChanged = defineEvent({
  type: 'ChannelPropertiesChanged',
  description:
    'The retention, the topics policy, the folder of a channel, or whether new accounts are subscribed to it, was changed.',
  schema: z.strictObject({
    channelId: id,
    properties: channelProperties.partial(),
    /** The previous values of the same properties. */
    previousProperties: channelProperties.partial(),
  }),
  example: {
    channelId: 1,
    properties: { messageRetentionDays: 30 },
    previousProperties: { messageRetentionDays: null },
  },
});

/** Stream `channels`. */
export const ChannelArchived = defineEvent({
  type: 'ChannelArchived',
  description: 'A channel was archived: nothing can be sent to it any more.',
  schema: z.strictObject({ channelId: id }),
  example: { channelId: 1 },
});

/** Stream `channels`. */
export const ChannelUnarchived = defineEvent({
  type: 'ChannelUnarchived',
  description: 'An archived channel was made active again.',
  schema: z.strictObject({ channelId: id }),
  example: { channelId: 1 },
});

export const channelDirectoryEvents = [
  ChannelCreated,
  ChannelRenamed,
  ChannelDescriptionChanged,
  ChannelPrivacyChanged,
  ChannelPermissionsChanged,
  ChannelPropertiesChanged,
  ChannelArchived,
  ChannelUnarchived,
] as const;

export type ChannelDirectoryEvent = EventOf<(typeof channelDirectoryEvents)[number]>;

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

export const channelEvents = [...channelDirectoryEvents, ...subscriptionEvents] as const;
