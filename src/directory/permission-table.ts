import type { ChannelPermissions } from '../channels/events.js';
import type { OrganizationPermissionName } from '../organization/permissions.js';
import type { UserGroupPermissions } from '../users/events.js';
import { isAdministrator, isOwner } from '../users/roles.js';
import * as permissions from './permissions.js';

/** What a permission hangs on: a role, or a group-setting value of the organization, a channel or a user group. */
export type PermissionBasis =
  | 'administrators'
  | 'owners'
  | `organization ${OrganizationPermissionName}`
  | `channel ${keyof ChannelPermissions}`
  | `group ${keyof UserGroupPermissions}`;

/** One permission of the API. */
export interface PermissionRow {
  /** In one phrase. */
  readonly permits: string;
  /** The one place that decides it. */
  readonly decidedBy: (...question: never[]) => boolean;
  readonly basis: readonly PermissionBasis[];
  /** The operations that ask it. */
  readonly operations: readonly `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`[];
}

const subscribing = ['POST /users/me/subscriptions', 'POST /channels/create'] as const;
const channelChange = ['PATCH /streams/{stream_id}'] as const;
const groupMembers = ['POST /user_groups/{group_id}/members'] as const;
const groupParts = ['POST /user_groups/{group_id}/subgroups'] as const;

/** Every permission of the API: who decides it, what it hangs on, and which operations ask it. */
export const permissionTable = {
  createChannels: {
    permits: 'creating channels of its kind',
    decidedBy: permissions.mayCreateChannel,
    basis: [
      'organization can_create_public_channel_group',
      'organization can_create_private_channel_group',
      'organization can_create_web_public_channel_group',
    ],
    operations: [...subscribing, ...channelChange],
  },
  chooseDefaultChannels: {
    permits: 'saying which channels new people are subscribed to',
    decidedBy: permissions.mayChooseDefaultChannels,
    basis: ['administrators'],
    operations: [...subscribing, ...channelChange, 'POST /default_streams', 'DELETE /default_streams'],
  },
  manageChannelFolders: {
    permits: 'making and changing the folders that channels are shown in',
    decidedBy: permissions.mayManageChannelFolders,
    basis: ['administrators'],
    operations: [
      'POST /channel_folders/create',
      'PATCH /channel_folders',
      'PATCH /channel_folders/{channel_folder_id}',
    ],
  },
  readChannel: {
    permits:
      'reading what is written in a channel: its subscribers’, and everyone’s but guests’ where it is public',
    decidedBy: permissions.hasContentAccess,
    basis: ['channel can_subscribe_group', 'channel can_add_subscribers_group'],
    operations: ['GET /messages', 'GET /messages/{message_id}', 'GET /users/me/{stream_id}/topics'],
  },
  knowChannel: {
    permits: 'knowing of a channel, its settings and its subscribers',
    decidedBy: permissions.hasMetadataAccess,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: ['GET /streams', 'GET /streams/{stream_id}', 'GET /streams/{stream_id}/members'],
  },
  administerChannel: {
    permits: 'changing what is set for a channel',
    decidedBy: permissions.mayAdministerChannel,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: [...channelChange, 'DELETE /streams/{stream_id}'],
  },
  openChannel: {
    permits: 'saying who may read a channel: its readers who administer it',
    decidedBy: permissions.mayChangeContentAccess,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: channelChange,
  },
  setTopicsPolicy: {
    permits: 'saying which topics a channel may have',
    decidedBy: permissions.maySetTopicsPolicy,
    basis: ['organization can_set_topics_policy_group'],
    operations: [...subscribing, ...channelChange],
  },
  setDeletionPolicy: {
    permits: 'saying who may delete the messages of a channel',
    decidedBy: permissions.maySetDeletionPolicy,
    basis: ['organization can_set_delete_message_policy_group'],
    operations: [...subscribing, ...channelChange],
  },
  subscribe: {
    permits: 'subscribing to a channel',
    decidedBy: permissions.maySubscribe,
    basis: ['channel can_subscribe_group'],
    operations: ['POST /users/me/subscriptions'],
  },
  addSubscribers: {
    permits: 'subscribing others to a channel that one can read',
    decidedBy: permissions.mayAddSubscribers,
    basis: [
      'organization can_add_subscribers_group',
      'channel can_add_subscribers_group',
      'channel can_administer_channel_group',
    ],
    operations: subscribing,
  },
  addSubscribersAnywhere: {
    permits: 'subscribing others to all channels that one can read',
    decidedBy: permissions.mayAddSubscribersAnywhere,
    basis: ['administrators', 'organization can_add_subscribers_group'],
    operations: subscribing,
  },
  removeSubscribers: {
    permits: 'unsubscribing others from a channel',
    decidedBy: permissions.mayRemoveSubscribers,
    basis: ['channel can_remove_subscribers_group', 'channel can_administer_channel_group'],
    operations: ['DELETE /users/me/subscriptions'],
  },
  send: {
    permits: 'sending to a channel',
    decidedBy: permissions.maySendTo,
    basis: ['channel can_send_message_group'],
    operations: ['POST /messages', 'PATCH /messages/{message_id}', 'POST /scheduled_messages'],
  },
  createTopics: {
    permits: 'sending to a topic in which nothing was said yet',
    decidedBy: permissions.mayCreateTopic,
    basis: ['channel can_create_topic_group'],
    operations: ['POST /messages', 'PATCH /messages/{message_id}', 'POST /scheduled_messages'],
  },
  resolveTopics: {
    permits: 'resolving topics',
    decidedBy: permissions.mayResolveTopics,
    basis: ['organization can_resolve_topics_group', 'channel can_resolve_topics_group'],
    operations: ['PATCH /messages/{message_id}'],
  },
  moveWithinChannel: {
    permits: 'moving messages to another topic',
    decidedBy: permissions.mayMoveWithinChannel,
    basis: [
      'organization can_move_messages_between_topics_group',
      'channel can_move_messages_within_channel_group',
      'channel can_administer_channel_group',
    ],
    operations: ['PATCH /messages/{message_id}'],
  },
  moveOutOfChannel: {
    permits: 'moving messages to another channel',
    decidedBy: permissions.mayMoveOutOfChannel,
    basis: [
      'organization can_move_messages_between_channels_group',
      'channel can_move_messages_out_of_channel_group',
      'channel can_administer_channel_group',
    ],
    operations: ['PATCH /messages/{message_id}'],
  },
  deleteAnyMessage: {
    permits: 'deleting whoever’s message',
    decidedBy: permissions.mayDeleteAnyMessage,
    basis: ['organization can_delete_any_message_group', 'channel can_delete_any_message_group'],
    operations: ['DELETE /messages/{message_id}'],
  },
  deleteOwnMessage: {
    permits: 'deleting one’s own messages, for as long as the organization says',
    decidedBy: permissions.mayDeleteOwnMessage,
    basis: ['organization can_delete_own_message_group', 'channel can_delete_own_message_group'],
    operations: ['DELETE /messages/{message_id}'],
  },
  startConversation: {
    permits: 'beginning a direct conversation',
    decidedBy: permissions.mayStartConversation,
    basis: ['organization direct_message_initiator_group'],
    operations: ['POST /messages', 'POST /scheduled_messages'],
  },
  converse: {
    permits: 'talking directly: one of those who talk must hold it',
    decidedBy: permissions.permitsConversation,
    basis: ['organization direct_message_permission_group'],
    operations: ['POST /messages', 'POST /scheduled_messages'],
  },
  mentionMany: {
    permits: 'mentioning everyone of a large channel or topic',
    decidedBy: permissions.mayMentionMany,
    basis: ['organization can_mention_many_users_group'],
    operations: ['POST /messages', 'PATCH /messages/{message_id}'],
  },
  mentionGroup: {
    permits: 'mentioning a user group',
    decidedBy: permissions.mayMentionGroup,
    basis: ['group can_mention_group'],
    operations: ['POST /messages', 'PATCH /messages/{message_id}'],
  },
  createBots: {
    permits: 'making bots',
    decidedBy: permissions.mayCreateBot,
    basis: ['organization can_create_bots_group', 'organization can_create_write_only_bots_group'],
    operations: ['POST /bots'],
  },
  manageBot: {
    permits: 'changing a bot: its owner’s and the administrators’',
    decidedBy: permissions.mayManageBot,
    basis: ['administrators'],
    operations: ['PATCH /bots/{bot_id}', 'DELETE /bots/{bot_id}', 'POST /bots/{bot_id}/api_key/regenerate'],
  },
  createGroups: {
    permits: 'creating user groups',
    decidedBy: permissions.mayCreateGroups,
    basis: ['organization can_create_groups'],
    operations: ['POST /user_groups/create'],
  },
  manageGroup: {
    permits: 'changing a user group',
    decidedBy: permissions.mayManageGroup,
    basis: ['organization can_manage_all_groups', 'group can_manage_group'],
    operations: ['PATCH /user_groups/{group_id}', 'POST /user_groups/{group_id}/deactivate'],
  },
  addGroupMembers: {
    permits: 'adding others to a user group',
    decidedBy: permissions.mayAddGroupMembers,
    basis: ['group can_add_members_group', 'group can_manage_group'],
    operations: [...groupMembers, ...groupParts],
  },
  removeGroupMembers: {
    permits: 'removing others from a user group',
    decidedBy: permissions.mayRemoveGroupMembers,
    basis: ['group can_remove_members_group', 'group can_manage_group'],
    operations: [...groupMembers, ...groupParts],
  },
  joinGroup: {
    permits: 'joining a user group',
    decidedBy: permissions.mayJoinGroup,
    basis: ['group can_join_group', 'group can_add_members_group'],
    operations: groupMembers,
  },
  leaveGroup: {
    permits: 'leaving a user group',
    decidedBy: permissions.mayLeaveGroup,
    basis: ['group can_leave_group', 'group can_remove_members_group'],
    operations: groupMembers,
  },
  addCustomEmoji: {
    permits: 'adding custom emoji',
    decidedBy: permissions.mayAddCustomEmoji,
    basis: ['organization can_add_custom_emoji_group'],
    operations: ['POST /realm/emoji/{emoji_name}'],
  },
  invite: {
    permits: 'inviting people by letters, or by links that many can use',
    decidedBy: permissions.mayInvite,
    basis: ['organization can_invite_users_group', 'organization create_multiuse_invite_group'],
    operations: ['POST /invites', 'POST /invites/multiuse'],
  },
  changeEmails: {
    permits: 'changing the e-mail addresses of others, for owners',
    decidedBy: permissions.mayChangeEmails,
    basis: ['owners', 'organization can_change_user_emails_group'],
    operations: ['PATCH /users/{user_id}'],
  },
  changeOrganization: {
    permits: 'changing the organization and its people',
    decidedBy: isAdministrator,
    basis: ['administrators'],
    operations: [
      'PATCH /realm',
      'POST /users',
      'PATCH /users/{user_id}',
      'DELETE /users/{user_id}',
      'POST /users/{user_id}/reactivate',
      'POST /realm/profile_fields',
    ],
  },
  ownOrganization: {
    permits: 'saying who may join the organization, and how long messages are kept',
    decidedBy: isOwner,
    basis: ['owners'],
    operations: [
      'POST /realm/domains',
      'PATCH /realm/domains/{domain}',
      'DELETE /realm/domains/{domain}',
      'PATCH /realm',
    ],
  },
} as const satisfies Record<string, PermissionRow>;

export type PermissionName = keyof typeof permissionTable;

export const permissionNames = Object.keys(permissionTable) as readonly PermissionName[];
