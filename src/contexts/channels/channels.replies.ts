import { z } from 'zod';
import type { DefaultChannelGroup } from '../../access/records/organization.js';
import { channelPermissionsSchema, topicsPolicySchema } from '../../events/channels.js';
import {
  type Described,
  fieldsOf,
  groupSetting,
  html,
  id,
  ids,
  named,
  seconds,
} from '../../http/replies/common-schemas.js';

type PermissionName = keyof typeof channelPermissionsSchema.shape;

/** The permissions of a channel. */
const channelPermissionFields = fieldsOf(
  Object.keys(channelPermissionsSchema.shape) as PermissionName[],
  groupSetting,
);

const channelMembers = {
  stream_id: id,
  name: z.string(),
  description: z.string().describe('Markdown'),
  rendered_description: html,
  date_created: seconds,
  creator_id: id.nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  message_retention_days: z
    .int()
    .nullable()
    .describe('For how many days messages are kept; null: the setting of the organization applies'),
  first_message_id: id.nullable(),
  folder_id: id.nullable(),
  topics_policy: topicsPolicySchema,
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z
    .int()
    .nullable()
    .describe('Messages per week; null: the channel is less than a week old'),
  subscriber_count: z.int(),
  stream_post_policy: z.int().describe('Deprecated: see `can_send_message_group`'),
  is_announcement_only: z.boolean().describe('Deprecated: see `can_send_message_group`'),
  ...channelPermissionFields,
} as const;

/** A channel as everyone who may know of it gets it. */
export const channelSchema = named('Channel', z.strictObject(channelMembers));

/** A channel's fields. */
export type ChannelObject = Described<typeof channelSchema>;

const listedChannel = named(
  'ListedChannel',
  z.strictObject({ ...channelMembers, is_default: z.boolean().optional() }),
);

/** Null: the person's own setting applies. */
const notification = z.boolean().nullable();

const ownMembers = {
  color: z.string().describe('`#rrggbb`'),
  is_muted: z.boolean(),
  in_home_view: z.boolean().describe('Deprecated: the opposite of `is_muted`'),
  pin_to_top: z.boolean(),
  desktop_notifications: notification,
  audible_notifications: notification,
  push_notifications: notification,
  email_notifications: notification,
  wildcard_mentions_notify: notification,
  email_address: z
    .literal('')
    .optional()
    .describe('Only for clients that declare no capability, which need the member'),
} as const;

/** The fields that a person's subscription adds to those of its channel. */
export type SubscriptionFields = Described<z.ZodObject<typeof ownMembers>>;

const subscribers = {
  subscribers: ids.optional(),
  partial_subscribers: ids
    .optional()
    .describe('Given instead of `subscribers`: the bots, and the people who were active recently'),
} as const;

/** A channel that a person is or was subscribed to. */
export const subscriptionSchema = named(
  'Subscription',
  z.strictObject({ ...channelMembers, ...ownMembers, ...subscribers }),
);

/** A channel that a person was never subscribed to. */
export const neverSubscribedSchema = named(
  'NeverSubscribed',
  z.strictObject({ ...channelMembers, ...subscribers }),
);

/** Answered by `GET streams`. */
export const channelsReply = { streams: z.array(listedChannel) };

/** Answered by `GET streams/{stream_id}`. */
export const channelReply = { stream: channelSchema };

/** Answered by `GET get_stream_id`. */
export const channelIdReply = { stream_id: id };

/** Answered by `POST channels/create`. */
export const createdChannelReply = { id };

/** Answered by `GET streams/{stream_id}/members`. */
export const membersReply = { subscribers: ids };

/** Answered by `GET users/me/subscriptions`. */
export const subscriptionsReply = { subscriptions: z.array(subscriptionSchema) };

const byPerson = z
  .record(z.string(), z.array(z.string()))
  .describe('Lists of channel names, by the account id of each person');

const subscribed = {
  subscribed: byPerson,
  already_subscribed: byPerson,
  new_subscription_messages_sent: z
    .boolean()
    .describe('Whether people were told of their new subscription by direct messages'),
  unauthorized: z.array(z.string()).optional(),
} as const;

/** Answered by `POST users/me/subscriptions`. */
export const subscribeReply = subscribed;

const unsubscribed = { removed: z.array(z.string()), not_removed: z.array(z.string()) };

/** Answered by `DELETE users/me/subscriptions`. */
export const unsubscribeReply = unsubscribed;

/** Answered by `PATCH users/me/subscriptions`. */
export const changedSubscriptionsReply = { ...subscribed, ...unsubscribed };

/** Answered by `GET users/{user_id}/channels`. */
export const subscribedChannelsReply = { subscribed_channel_ids: ids };

/** Answered by `GET users/{user_id}/subscriptions/{stream_id}`. */
export const subscriptionStatusReply = { is_subscribed: z.boolean() };

/** A folder of channels. */
export const folderSchema = named(
  'ChannelFolder',
  z.strictObject({
    id,
    name: z.string(),
    description: z.string().describe('Markdown'),
    rendered_description: html,
    creator_id: id.nullable(),
    date_created: seconds,
    is_archived: z.boolean(),
    order: z.int().describe('The place of the folder in the list, from 0'),
  }),
);

/** Type of {@link folderSchema}. */
export type FolderObject = Described<typeof folderSchema>;

/** Answered by `GET channel_folders`. */
export const foldersReply = { channel_folders: z.array(folderSchema) };

/** Answered by `POST channel_folders/create`. */
export const createdFolderReply = { channel_folder_id: id };

/** A group of channels that new people can join together. */
export const channelGroupSchema = named(
  'DefaultChannelGroup',
  z.strictObject({ id, name: z.string(), description: z.string(), streams: ids }),
);

/** Type of {@link channelGroupSchema}. */
type ChannelGroupObject = Described<typeof channelGroupSchema>;

/** Formats a group of default channels for the API. */
export function channelGroupObject({
  groupId,
  name,
  description,
  channelIds,
}: DefaultChannelGroup): ChannelGroupObject {
  return { id: groupId, name, description, streams: channelIds };
}
