import { z } from 'zod';
import { id, ids, reactionType, seconds } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { flagsSchema, messageMembers, topicLinkSchema } from './messages.replies.js';

const reaction = {
  message_id: id,
  user_id: id,
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: reactionType,
  user: z
    .strictObject({ user_id: id, email: z.string(), full_name: z.string() })
    .optional()
    .describe('Only for clients that did not declare any capabilities'),
} as const;

const details = z.union([
  z.strictObject({ type: z.literal('private'), user_ids: ids, mentioned: z.literal(true).optional() }),
  z.strictObject({
    type: z.literal('stream'),
    stream_id: id,
    topic: z.string(),
    unmuted_stream_msg: z.boolean(),
    mentioned: z.literal(true).optional(),
  }),
]);

const flagChange = { flag: z.enum(['read', 'starred', 'collapsed']), messages: ids, all: z.boolean() };

/** Schemas of the client events about messages and flags. */
export const messageEventSchemas = [
  clientEvent('message', null, {
    message: z.strictObject(messageMembers),
    flags: flagsSchema,
    local_message_id: z
      .string()
      .optional()
      .describe('The `local_id` of the request that sent the message; only for the client that sent it'),
  }),
  clientEvent('update_message', null, {
    user_id: id
      .nullable()
      .describe(
        'The account that edited the message; null: nobody edited it, only its rendering has changed',
      ),
    edit_timestamp: seconds,
    message_id: id,
    message_ids: ids.describe('The ids of all messages that were moved, including `message_id`'),
    flags: flagsSchema,
    rendering_only: z.boolean(),
    stream_id: id
      .optional()
      .describe('The channel that the message was in before; absent for direct messages'),
    stream_name: z.string().optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
    propagate_mode: z
      .enum(['change_one', 'change_later', 'change_all'])
      .optional()
      .describe('Only if messages were moved'),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    topic_links: z.array(topicLinkSchema).optional(),
    new_stream_id: id.optional(),
  }),
  clientEvent('delete_message', null, {
    message_type: z.enum(['stream', 'private']),
    message_ids: ids.optional().describe('For clients with the capability `bulk_message_deletion`'),
    message_id: id.optional().describe('For clients without the capability `bulk_message_deletion`'),
    stream_id: id.optional(),
    topic: z.string().optional(),
  }),
  clientEvent('reaction', 'add', reaction),
  clientEvent('reaction', 'remove', reaction),
  clientEvent('submessage', null, {
    message_id: id,
    submessage_id: id,
    sender_id: id,
    msg_type: z.string(),
    content: z.string(),
  }),
  clientEvent('update_message_flags', 'add', { operation: z.literal('add'), ...flagChange }),
  clientEvent('update_message_flags', 'remove', {
    operation: z.literal('remove'),
    ...flagChange,
    message_details: z
      .record(z.string(), details)
      .optional()
      .describe('Details of the messages, by message id; only for the flag `read`'),
  }),
];

const unread = { unread_message_ids: ids };

/** Schemas of the initial state that concerns messages. */
export const messageStateFields = {
  max_message_id: z
    .int()
    .optional()
    .describe('The id of the latest message that the account received; -1: there is none'),
  starred_messages: ids.optional(),
  recent_private_conversations: z
    .array(z.strictObject({ user_ids: ids, max_message_id: id }))
    .optional()
    .describe('The newest conversation first. `user_ids` lists the other participants'),
  unread_msgs: z
    .strictObject({
      count: z.int().describe('The number of unread messages, without those in muted channels and topics'),
      pms: z.array(z.strictObject({ other_user_id: id, sender_id: id, ...unread })),
      streams: z.array(z.strictObject({ stream_id: id, topic: z.string(), ...unread })),
      huddles: z.array(z.strictObject({ user_ids_string: z.string(), ...unread })),
      mentions: ids,
      old_unreads_missing: z.boolean(),
    })
    .optional(),
  stop_words: z.array(z.string()).optional(),
} as const;
