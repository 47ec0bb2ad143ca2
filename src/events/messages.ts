import { z } from 'zod';
import { visibilityPolicySchema } from './attention.js';
import { defineEvent, type EventOf } from '../kernel/event.js';
import type { JsonObject } from '../kernel/json.js';
import { emojiTypes } from './custom-emoji.js';
import { intendedMoveSchema } from './message-moves.js';
import { referencesSchema as references } from './values/references-schema.js';
import { SubmessageAttached } from './submessages.js';

const id = z.number().int().positive();

/** The stream with the sending of every message. */
export const MESSAGES_STREAM = 'messages';

/** Name of the stream with later changes of a message. */
export function messageStream(messageId: number): string {
  return `message-${messageId}`;
}

/**
 * The recipient of a message. A direct message names everyone in the conversation, the sender included, in
 * rising order.
 */
export const recipientSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('channel'), channelId: id, topic: z.string() }),
  z.strictObject({ type: z.literal('direct'), userIds: z.array(id) }),
]);
export type Recipient = z.infer<typeof recipientSchema>;

/** Whom a text mentions, as of its writing, with the group members of that time. */
export const mentionsSchema = z.strictObject({
  userIds: z.array(id),
  groups: z.array(z.strictObject({ groupId: id, userIds: z.array(id) })),
  channelWildcard: z.boolean(),
  topicWildcard: z.boolean(),
  /**
   * Ids of the participants of a topic that is mentioned as a whole, in rising order. Absent: not recorded,
   * or no topic is mentioned.
   */
  topicParticipantIds: z.array(id).optional(),
});
export type Mentions = z.infer<typeof mentionsSchema>;

/** Who has a message as read when it arrives: everyone except these people, or nobody except them. */
const readOnArrivalSchema = z.strictObject({ everyone: z.boolean(), except: z.array(id) });
export type ReadOnArrival = z.infer<typeof readOnArrivalSchema>;

/** The topic policy that a message causes for a person who wrote it or is mentioned in it. */
export const topicPolicySchema = z.strictObject({ userId: id, policy: visibilityPolicySchema });
export type TopicPolicy = z.infer<typeof topicPolicySchema>;

/** Replaces a text whose key was destroyed. */
const erasedContent = { content: '(erased)', references: {} } as const;

function withFormAsText({ form, ...data }: JsonObject): JsonObject {
  return form === undefined ? data : { ...data, form: JSON.stringify(form) };
}

/** Stream `messages`. A message's id is the revision of this event plus one. */
export const MessageSent = defineEvent({
  type: 'MessageSent',
  version: 5,
  description: 'A message was sent to a channel or directly to people.',
  schema: z.strictObject({
    senderId: id,
    recipient: recipientSchema,
    content: z.string(),
    references,
    mentions: mentionsSchema,
    /** Whether the sender's own copy counts as read: true if a person typed it, not for programs. */
    readBySender: z.boolean(),
    /** Absent: nobody has it as read when it arrives. */
    readOnArrival: readOnArrivalSchema.optional(),
    /** Topic policies that a process manager appends to these people's streams. Absent: none. */
    topicWishes: z.array(topicPolicySchema).optional(),
    /**
     * Bots that it mentions and that are not subscribed to its channel: they get this message only. Absent:
     * none.
     */
    givenToIds: z.array(id).optional(),
    /** Buttons of a bot below the text: JSON text that clients interpret. Absent: none. */
    form: z.string().optional(),
  }),
  // Version 2 may have `readOnArrival` and `topicWishes`; version 3 may have `form`, version 4 as text;
  // version 4 may have `topicParticipantIds`; version 5 may have `givenToIds`.
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
    /** The sender, whose key wraps the message's key. */
    senderId: id,
    /** Id of the event that sent the message: its key encrypts every version of the text. */
    messageKey: z.string(),
    content: z.string(),
    references,
    mentions: mentionsSchema,
    /**
     * The move that the same request asked for, for the stream of the channel: a process manager appends it
     * after this event, so that a crash leaves nothing half done. Null: none.
     */
    move: intendedMoveSchema.nullable(),
  }),
  // Version 2 may have `topicParticipantIds`.
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
    'A message was deleted. The policy of the organization determines whether auditors can still read its text.',
  schema: z.strictObject({
    messageId: id,
    /** Its sender. Null: recorded by an older version without this field. */
    senderId: id.nullable(),
    /** Where it lay when it was deleted. Null: recorded by an older version without this field. */
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
  description: 'Somebody added an emoji reaction to a message.',
  schema: reaction,
  example: exampleReaction,
});

/** Stream `message-<id>`. */
export const ReactionRemoved = defineEvent({
  type: 'ReactionRemoved',
  description: 'Somebody removed their reaction from a message.',
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

/** The people in a recipient, or in mentions, of a stored event whose shape was not validated yet. */
export function storedUserIds(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || !('userIds' in value)) return [];
  return Array.isArray(value.userIds) ? value.userIds : [];
}
