import type { PermissionRow } from './permission-row.js';
import * as permissions from './permissions.js';

/** The permissions for messages. */
export const messagePermissionRows = {
  send: {
    permits: 'sending to a channel',
    decidedBy: permissions.maySendTo,
    basis: ['channel can_send_message_group'],
    operations: ['POST /messages', 'PATCH /messages/{message_id}', 'POST /scheduled_messages'],
  },
  createTopics: {
    permits: 'sending the first message of a topic',
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
    permits: 'deleting any message',
    decidedBy: permissions.mayDeleteAnyMessage,
    basis: ['organization can_delete_any_message_group', 'channel can_delete_any_message_group'],
    operations: ['DELETE /messages/{message_id}'],
  },
  deleteOwnMessage: {
    permits: 'deleting own messages, within the time limit that the organization sets',
    decidedBy: permissions.mayDeleteOwnMessage,
    basis: ['organization can_delete_own_message_group', 'channel can_delete_own_message_group'],
    operations: ['DELETE /messages/{message_id}'],
  },
  startConversation: {
    permits: 'starting a direct conversation',
    decidedBy: permissions.mayStartConversation,
    basis: ['organization direct_message_initiator_group'],
    operations: ['POST /messages', 'POST /scheduled_messages'],
  },
  converse: {
    permits: 'sending direct messages: at least one participant must have this permission',
    decidedBy: permissions.permitsConversation,
    basis: ['organization direct_message_permission_group'],
    operations: ['POST /messages', 'POST /scheduled_messages'],
  },
  mentionMany: {
    permits: 'mentioning everyone in a large channel or topic',
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
} as const satisfies Record<string, PermissionRow>;
