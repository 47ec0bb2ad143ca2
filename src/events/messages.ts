import { z } from 'zod';
import { visibilityPolicySchema } from './attention.js';
import { defineEvent, type EventOf } from '../kernel/event.js';
import type { JsonObject } from '../kernel/json.js';
import { emojiTypes } from './values/emoji-types.js';
import { intendedMoveSchema } from './message-moves.js';
import { referencesSchema as references } from './values/references-schema.js';
import { SubmessageAttached } from './submessages.js';

const id = z.number().int().positive();

/** The stream that every message is sent to. */
export const messagesStream = 'messages';

/** Name of the stream that holds what happens to a message after it was sent. */
export function messageStream(messageId: number): string {
  return `message-${messageId}`;
}

/** Where a message is sent. A direct message names everyone in the conversation, its sender included, rising. */
export const recipientSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('channel'), channelId: id, topic: z.string() }),
  z.strictObject({ type: z.literal('direct'), userIds: z.array(id) }),
]);
export type Recipient = z.infer<typeof recipientSchema>;

/** Whom a text mentions, as of its writing: a group's members are those of that moment. */
export const mentionsSchema = z.strictObject({
  userIds: z.array(id),
  groups: z.array(z.strictObject({ groupId: id, userIds: z.array(id) })),
  channelWildcard: z.boolean(),
  topicWildcard: z.boolean(),
  /** Who took part in the topic that is mentioned as a whole, rising. Absent: nobody noted it, or no topic is mentioned. */
  topicParticipantIds: z.array(id).optional(),
});
export type Mentions = z.infer<typeof mentionsSchema>;

/** Whose copy of a message is read when it arrives: everyone's but theirs, or theirs alone; nobody's is listed. */
export const readOnArrivalSchema = z.strictObject({ everyone: z.boolean(), except: z.array(id) });
export type ReadOnArrival = z.infer<typeof readOnArrivalSchema>;

/** What a message makes of a topic for somebody who wrote it or is mentioned in it, unless they hear more of it already. */
export const topicPolicySchema = z.strictObject({ userId: id, policy: visibilityPolicySchema });
export type TopicPolicy = z.infer<typeof topicPolicySchema>;

/** What stands in place of a text whose key was destroyed. */
export const erasedContent = { content: '(erased)', references: {} } as const;

function withFormAsText({ form, ...data }: JsonObject): JsonObject {
  return form === undefined ? data : { ...data, form: JSON.stringify(form) };
}

/** Stream `messages`. A message's id is the revision of this event plus one. */
export const MessageSent = defineEvent({
  type: 'MessageSent',
  version: 5,
  description: 'A message was sent to a channel or to people.',
  schema: z.strictObject({
    senderId: id,
    recipient: recipientSchema,
    content: z.string(),
    references,
    mentions: mentionsSchema,
    /** Whether the sender's own copy counts as read: so for what a person typed, not for programs. */
    readBySender: z.boolean(),
    /** Absent: whoever receives it has yet to read it. */
    readOnArrival: readOnArrivalSchema.optional(),
    /** A process manager appends them to these people's streams. Absent: none. */
    topicWishes: z.array(topicPolicySchema).optional(),
    /** Bots that it mentions and that its channel does not reach: they get it, and nothing else of the channel. Absent: none. */
    givenToIds: z.array(id).optional(),
    /** Buttons that a bot offers below the text: JSON text, for clients to make sense of. Absent: none. */
    form: z.string().optional(),
  }),
  // Version 2 may say who has it read already, and for whom it changes the topic; version 3 may have a form, version 4 as text;
  // version 4 may say whom a mention of the whole topic means; version 5 may be given to bots.
  upcasts: { 1: (data) => data, 2: (data) => data, 3: withFormAsText, 4: (data) => data },
  erasable: {
    fields: ['content', 'references', 'form'],
    owner: (data) => data.senderId,
    placeholder: { ...erasedContent, form: undefined },
  },
  example: {
    senderId: 3,
    recipient: { type: 'channel', channelId: 1, topic: 'engines' },
    content: 'Note **G** is ready.',
    references: {},
    mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
    readBySender: true,
  },
});

/** Stream `message-<id>`. */
export const MessageEdited = defineEvent({
  type: 'MessageEdited',
  version: 2,
  description: 'The text of a message was replaced by its sender.',
  schema: z.strictObject({
    messageId: id,
    /** The sender, whose key wraps the message's. */
    senderId: id,
    /** The id of the event that sent the message: its key guards every version of the text. */
    messageKey: z.string(),
    content: z.string(),
    references,
    mentions: mentionsSchema,
    /**
     * The move that the same request asked for, which stands in the stream of the channel: a process manager appends it after
     * this event, so that a crash leaves nothing half done. Null: none.
     */
    move: intendedMoveSchema.nullable(),
  }),
  // Version 2 may say whom a mention of the whole topic means.
  upcasts: { 1: (data) => data },
  erasable: {
    fields: ['content', 'references'],
    owner: (data) => data.senderId,
    key: (data) => data.messageKey,
    placeholder: erasedContent,
  },
  example: {
    messageId: 41,
    senderId: 3,
    messageKey: '6f1d3d4c-4e0e-5f0a-9f43-2f8e3f0a7c11',
    content: 'Note **G** is finished.',
    references: {},
    mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
    move: null,
  },
});

/** Stream `message-<id>`. */
export const MessageDeleted = defineEvent({
  type: 'MessageDeleted',
  version: 2,
  description:
    'A message was deleted; whether its text can still be read by auditors is the organization’s policy.',
  schema: z.strictObject({
    messageId: id,
    /** Who sent it. Null: deleted by a version of the server that did not record it. */
    senderId: id.nullable(),
    /** Where it lay when it was deleted. Null: as for the sender. */
    recipient: recipientSchema.nullable(),
  }),
  upcasts: { 1: (data) => ({ ...data, senderId: null, recipient: null }) },
  example: {
    messageId: 41,
    senderId: 3,
    recipient: { type: 'channel', channelId: 1, topic: 'engines' },
  },
});

/** An emoji as events name it. */
export const emojiSchema = z.strictObject({ name: z.string(), code: z.string(), type: z.enum(emojiTypes) });

const reaction = z.strictObject({
  messageId: id,
  userId: id,
  emoji: emojiSchema,
});

const exampleReaction = {
  messageId: 41,
  userId: 3,
  emoji: { name: 'octopus', code: '1f419', type: 'unicode_emoji' },
} as const;

/** Stream `message-<id>`. */
export const ReactionAdded = defineEvent({
  type: 'ReactionAdded',
  description: 'Somebody answered a message with an emoji.',
  schema: reaction,
  example: exampleReaction,
});

/** Stream `message-<id>`. */
export const ReactionRemoved = defineEvent({
  type: 'ReactionRemoved',
  description: 'Somebody took a reaction of theirs back.',
  schema: reaction,
  example: exampleReaction,
});

export const messageEvents = [
  MessageSent,
  MessageEdited,
  MessageDeleted,
  ReactionAdded,
  ReactionRemoved,
  SubmessageAttached,
] as const;

export type MessageEvent = EventOf<(typeof messageEvents)[number]>;

/** The people that a recipient, or mentions, name in an event as it is stored, whose shape nobody has looked at yet. */
export function storedUserIds(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || !('userIds' in value)) return [];
  return Array.isArray(value.userIds) ? value.userIds : [];
}
