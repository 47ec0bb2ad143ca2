import { z } from 'zod';
import { id, ids, named } from '../../../http/replies/common-schemas.js';
import { milliseconds, place, position, textChange } from '../../audit.replies.js';

const pastMessage = named(
  'PastMessage',
  z.strictObject({
    id,
    sender_id: id,
    sender_name: z.string().nullable(),
    timestamp: z.int().nullable(),
    channel_id: id.nullable(),
    topic: z.string().nullable(),
    content: z.string().nullable(),
    rendered_content: z.string().nullable(),
    erased: z.boolean(),
    last_edit_timestamp: z.int().nullable(),
    edits: z.int(),
    moves: z.int(),
    reactions: z.array(z.strictObject({ emoji_name: z.string(), emoji_code: z.string(), user_ids: ids })),
    since: z.strictObject({ edited: z.boolean(), moved: z.boolean(), deleted: z.boolean() }),
    sight: z.enum(['received', 'historical']).nullable(),
  }),
);

const conversationChange = named(
  'ConversationChange',
  z.strictObject({
    position,
    time: milliseconds,
    kind: z.string(),
    actor_id: id.nullable(),
    actor_name: z
      .string()
      .nullable()
      .describe('The name of the actor at that time; null: the server acted, or the name is unknown'),
    message_id: id,
    count: z.int(),
  }),
);

/** Answered by `GET audit/conversation`. */
export const pastConversationReply = {
  as_of: place,
  viewer: z.looseObject({}).nullable(),
  viewer_name: z
    .string()
    .nullable()
    .describe(
      'The name of the account of `as` at that time, or its present name if it did not exist yet; null: the name is unknown, or nobody’s permissions apply',
    ),
  messages: z.array(pastMessage),
  older: id.nullable(),
  newer: id.nullable(),
  changes: z
    .strictObject({
      current: conversationChange.nullable().describe('The last change at the moment or before'),
      before: conversationChange
        .nullable()
        .describe(
          'The last change before the moment: `current`, or the one before it if that was at the moment itself',
        ),
      next: conversationChange.nullable().describe('The first change after the moment'),
      first: conversationChange.nullable(),
      last: conversationChange.nullable(),
    })
    .optional()
    .describe('Only with `with_changes`. Null members: there is no such change'),
};

/** Answered by `GET audit/conversation/changes`. */
export const conversationChangesReply = {
  changes: z.array(conversationChange),
  beyond: position.nullable(),
};

/** Answered by `GET audit/conversation/comparison`. */
export const comparisonReply = {
  from: place,
  to: place,
  differences: z.array(
    z.strictObject({
      kind: z.enum(['came', 'went', 'changed']),
      because: z.enum(['sent', 'deleted', 'moved', 'permissions']).nullable(),
      before: pastMessage.nullable(),
      after: pastMessage.nullable(),
      text: z.array(textChange).nullable(),
    }),
  ),
  unchanged: z.int(),
  after: id.nullable(),
  last_message_id: id,
};
