import type { PermissionRow } from './permission-row.js';
import * as permissions from './permissions.js';

const subscribing = ['POST /users/me/subscriptions', 'POST /channels/create'] as const;
const channelChange = ['PATCH /streams/{stream_id}'] as const;

/** The permissions for channels. */
export const channelPermissionRows = {
  createChannels: {
    permits: 'creating channels of the kind in question (public, private or web-public)',
    decidedBy: permissions.mayCreateChannel,
    basis: [
      'organization can_create_public_channel_group',
      'organization can_create_private_channel_group',
      'organization can_create_web_public_channel_group',
    ],
    operations: [...subscribing, ...channelChange],
  },
  chooseDefaultChannels: {
    permits: 'choosing the channels to which new accounts are subscribed',
    decidedBy: permissions.mayChooseDefaultChannels,
    basis: ['administrators'],
    operations: [...subscribing, ...channelChange, 'POST /default_streams', 'DELETE /default_streams'],
  },
  manageChannelFolders: {
    permits: 'creating and changing channel folders',
    decidedBy: permissions.mayManageChannelFolders,
    basis: ['administrators'],
    operations: [
      'POST /channel_folders/create',
      'PATCH /channel_folders',
      'PATCH /channel_folders/{channel_folder_id}',
    ],
  },
  readChannel: {
    permits: 'reading the messages of a channel: its subscribers, and everyone except guests if it is public',
    decidedBy: permissions.hasContentAccess,
    basis: ['channel can_subscribe_group', 'channel can_add_subscribers_group'],
    operations: ['GET /messages', 'GET /messages/{message_id}', 'GET /users/me/{stream_id}/topics'],
  },
  knowChannel: {
    permits: 'seeing a channel, its settings and its subscribers',
    decidedBy: permissions.hasMetadataAccess,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: ['GET /streams', 'GET /streams/{stream_id}', 'GET /streams/{stream_id}/members'],
  },
  administerChannel: {
    permits: 'changing the settings of a channel',
    decidedBy: permissions.mayAdministerChannel,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: [...channelChange, 'DELETE /streams/{stream_id}'],
  },
  openChannel: {
    permits: 'setting who may read a channel: its administrators, if they can read it',
    decidedBy: permissions.mayChangeContentAccess,
    basis: ['administrators', 'channel can_administer_channel_group'],
    operations: channelChange,
  },
  setTopicsPolicy: {
    permits: 'setting the topics policy of a channel',
    decidedBy: permissions.maySetTopicsPolicy,
    basis: ['organization can_set_topics_policy_group'],
    operations: [...subscribing, ...channelChange],
  },
  setDeletionPolicy: {
    permits: 'setting who may delete the messages of a channel',
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
    permits: 'subscribing others to a channel that the caller can read',
    decidedBy: permissions.mayAddSubscribers,
    basis: [
      'organization can_add_subscribers_group',
      'channel can_add_subscribers_group',
      'channel can_administer_channel_group',
    ],
    operations: subscribing,
  },
  addSubscribersAnywhere: {
    permits: 'subscribing others to all channels that the caller can read',
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
} as const satisfies Record<string, PermissionRow>;
