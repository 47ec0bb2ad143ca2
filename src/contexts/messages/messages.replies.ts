import { z } from 'zod';
import { type Described, id, ids, named, reactionType, seconds } from '../../http/replies/common-schemas.js';
import { attachmentSchema } from '../uploads/uploads.replies.js';

const reaction = named(
  'Reaction',
  z.strictObject({
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: reactionType,
    user_id: id,
    user: z
      .strictObject({ id, user_id: id, email: z.string(), full_name: z.string() })
      .optional()
      .describe('Only for the client `ZulipTerminal`'),
  }),
);

const submessage = named(
  'Submessage',
  z.strictObject({
    id,
    message_id: id,
    sender_id: id,
    msg_type: z.string(),
    content: z.string().describe('JSON text, exactly as the client sent it'),
  }),
);

/** A link in a topic. */
export const topicLinkSchema = z.strictObject({ text: z.string(), url: z.string() });

const historyEntry = z.strictObject({
  user_id: id.nullable(),
  timestamp: seconds,
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
  prev_stream: id.optional(),
  stream: id.optional(),
});

const person = z.strictObject({
  id,
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.literal(false),
});

/** The members of a message that are the same for every reader. */
export const messageMembers = {
  id,
  sender_id: id,
  content: z.string().describe('HTML or Markdown, depending on `content_type`'),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  recipient_id: id.describe(
    'Identifies the channel or the direct conversation: the same for all of its messages',
  ),
  timestamp: seconds,
  client: z.string().describe('The name of the client program that sent the message'),
  subject: z.string().describe('The topic; empty for direct messages'),
  topic_links: z.array(topicLinkSchema),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  sender_full_name: z.string(),
  sender_email: z.string(),
  sender_realm_str: z.string(),
  display_recipient: z
    .union([z.string(), z.array(person)])
    .describe(
      'The name of the channel, or the participants of the direct conversation, including the sender',
    ),
  type: z.enum(['stream', 'private']),
  stream_id: id.optional().describe('Only for channel messages'),
  avatar_url: z.string().nullable().describe('Null if the client can compute the address'),
  last_edit_timestamp: seconds.optional(),
  last_moved_timestamp: seconds.optional(),
} as const;

/** The reader's flags, set by them or derived from who they are. */
export const flagsSchema = z.array(
  z.enum([
    'read',
    'starred',
    'collapsed',
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'wildcard_mentioned',
    'has_alert_word',
    'historical',
  ]),
);

const messageSchema = named(
  'Message',
  z.strictObject({
    ...messageMembers,
    flags: flagsSchema,
    edit_history: z.array(historyEntry).optional().describe('Newest first'),
    match_content: z.string().optional().describe('HTML in which the words of the search are marked'),
    match_subject: z.string().optional().describe('HTML in which the words of the search are marked'),
  }),
);

/** One version of a message (`GET /messages/{message_id}/history`). */
const messageVersionSchema = named(
  'MessageVersion',
  z.strictObject({
    user_id: id.nullable(),
    timestamp: seconds,
    topic: z.string(),
    content: z.string(),
    rendered_content: z.string(),
    prev_topic: z.string().optional(),
    prev_stream: id.optional(),
    stream: id.optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    content_html_diff: z
      .string()
      .optional()
      .describe('HTML that combines both texts; removed and inserted parts are marked'),
  }),
);

/** One version of a message. */
export type MessageVersion = Described<typeof messageVersionSchema>;

/** Answered by `POST messages`. */
export const sendReply = {
  id,
  automatic_new_visibility_policy: z
    .int()
    .optional()
    .describe('The new visibility policy of the topic for the sender; absent if sending did not change it'),
};

const page = {
  messages: z.array(messageSchema).describe('Oldest first'),
  found_anchor: z.boolean(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
  history_limited: z.literal(false),
} as const;

/** Answered by `GET messages`. */
export const messagesReply = {
  ...page,
  anchor: z.int().optional().describe('The anchor as a message id; absent if the request had `message_ids`'),
};

/** Answered by `GET messages/matches_narrow`. */
export const matchesReply = {
  messages: z.record(z.string(), z.strictObject({ match_content: z.string(), match_subject: z.string() })),
};

/** Answered by `POST messages/render`. */
export const renderReply = { rendered: z.string().describe('HTML') };

/** Answered by `GET messages/{message_id}`. */
export const messageReply = { message: messageSchema, raw_content: z.string().describe('Markdown') };

/** Answered by `GET messages/{message_id}/history`. */
export const historyReply = { message_history: z.array(messageVersionSchema).describe('Oldest first') };

/** Answered by `GET messages/{message_id}/read_receipts`. */
export const readReceiptsReply = { user_ids: ids };

/** Answered by `PATCH messages/{message_id}`. */
export const editReply = {
  detached_uploads: z.array(attachmentSchema).describe('Files to which no message refers any more'),
};

const ignoredChannels = {
  ignored_because_not_subscribed_channels: ids.describe(
    'Ids of channels in which no messages were marked as unread because the caller is not subscribed to them',
  ),
};

/** Answered by `POST messages/flags`. */
export const flagsReply = { messages: ids, ...ignoredChannels };

/** Answered by `POST messages/flags/narrow`. */
export const flagsInNarrowReply = {
  processed_count: z.int(),
  updated_count: z.int(),
  first_processed_id: id.nullable(),
  last_processed_id: id.nullable(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
  ...ignoredChannels,
};

/** Answered by `POST streams/{stream_id}/delete_topic`, `POST mark_all_as_read`. */
export const completeReply = {
  complete: z.boolean().describe('False: the request did not complete; send it again to process the rest'),
};

/** Answered by `GET users/me/{stream_id}/topics`. */
export const topicsReply = {
  topics: z
    .array(z.strictObject({ name: z.string(), max_id: id }))
    .describe('The topic with the latest message first'),
};
