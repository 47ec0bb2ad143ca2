import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { furtherSubscriptions, subscriptionEvents } from './subscriptions.js';
import { groupSettingSchema } from './values/group-setting.js';

const id = z.number().int().positive();

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
const channelPrivacySchema = z.strictObject({
  inviteOnly: z.boolean(),
  historyPublicToSubscribers: z.boolean(),
  isWebPublic: z.boolean(),
});
export type ChannelPrivacy = z.infer<typeof channelPrivacySchema>;

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

export const channelEvents = [...channelDirectoryEvents, ...subscriptionEvents] as const;
