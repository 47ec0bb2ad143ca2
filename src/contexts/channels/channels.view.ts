import type { Channel } from '../../access/records/channel.js';
import type { Subscription } from '../../access/records/subscription.js';
import type { ChannelPermissions } from '../../events/channels.js';
import type { GroupSetting } from '../../events/values/group-setting.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import { toSeconds } from '../../kernel/clock.js';
import type { ChannelObject, SubscriptionFields } from './channels.replies.js';
import type { ChannelActivity } from './statistics.js';

/** A channel's permissions, and the older names of the permission to send. */
type PermissionFields = ChannelPermissions &
  Pick<ChannelObject, 'stream_post_policy' | 'is_announcement_only'>;

/** What is shown of a channel beside its stored settings. */
interface ChannelFacts {
  readonly activity: ChannelActivity;
  readonly subscriberCount: number;
  /** The permissions as they are shown. */
  readonly permissions: ChannelPermissions;
  /** The description rendered as HTML. */
  readonly renderedDescription: string;
}

/** The fields of a channel in the API. */
export function channelFields(channel: Channel, facts: ChannelFacts): ChannelObject {
  const { privacy } = channel;
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: facts.renderedDescription,
    date_created: toSeconds(channel.createdAt),
    creator_id: channel.creatorId,
    invite_only: privacy.inviteOnly,
    is_web_public: privacy.isWebPublic,
    history_public_to_subscribers: privacy.historyPublicToSubscribers,
    is_archived: channel.isArchived,
    message_retention_days: channel.messageRetentionDays,
    first_message_id: facts.activity.firstMessageId,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    is_recently_active: facts.activity.isRecentlyActive,
    stream_weekly_traffic: facts.activity.weeklyTraffic,
    subscriber_count: facts.subscriberCount,
    ...permissionFields(facts.permissions),
  };
}

/** A channel's permissions in the API, with the older names of the permission to send. */
export function permissionFields(permissions: ChannelPermissions): PermissionFields {
  const postPolicy = postPolicyOf(permissions.can_send_message_group);
  return {
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === postPolicies.administrators,
    ...permissions,
  };
}

/** The fields that a person's subscription adds to those of its channel. */
export function subscriptionFields(subscription: Subscription): SubscriptionFields {
  return {
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.pinToTop,
    desktop_notifications: subscription.desktopNotifications,
    audible_notifications: subscription.audibleNotifications,
    push_notifications: subscription.pushNotifications,
    email_notifications: subscription.emailNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
  };
}

/** Values of the deprecated `stream_post_policy`. */
const postPolicies = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const;

type PostPolicy = (typeof postPolicies)[keyof typeof postPolicies];

const groupOfPolicy: Readonly<Record<PostPolicy, number>> = {
  [postPolicies.everyone]: systemGroupIds.everyone,
  [postPolicies.administrators]: systemGroupIds.administrators,
  [postPolicies.fullMembers]: systemGroupIds.fullMembers,
  [postPolicies.moderators]: systemGroupIds.moderators,
};

/** Groups without a value in the deprecated policy are shown as the narrowest policy, or as everyone. */
function postPolicyOf(setting: GroupSetting): PostPolicy {
  switch (setting) {
    case systemGroupIds.nobody:
    case systemGroupIds.owners:
    case systemGroupIds.administrators:
      return postPolicies.administrators;
    case systemGroupIds.moderators:
      return postPolicies.moderators;
    case systemGroupIds.fullMembers:
      return postPolicies.fullMembers;
    default:
      return postPolicies.everyone;
  }
}

/** The group of a value of the deprecated `stream_post_policy`; undefined for an unknown number. */
export function groupOfPostPolicy(policy: number): number | undefined {
  return groupOfPolicy[policy as PostPolicy];
}
