import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Which messages move with the one that a request names: it alone, with all after it, or all of its topic. */
export const propagationModes = ['change_one', 'change_later', 'change_all'] as const;
export type PropagationMode = (typeof propagationModes)[number];

/** A stretch of ids: those after `after`, up to and including `through` (null: without end). */
const stretch = z.strictObject({
  after: z.number().int().nonnegative(),
  through: z.number().int().nonnegative().nullable(),
});

/** A stretch of what somebody can see of a channel. */
const visibleStretch = stretch.extend({
  /** Numbers of the arrivals by which its messages came to the channel, in log order; null: they were sent there. */
  arrivals: z.array(id).nullable(),
});

/**
 * Who has messages after they came to another channel: of those who had them, all (guests who are not subscribed there
 * excepted, where it is public), its subscribers alone, or, where its history is protected, its subscribers whether they had
 * them or not.
 */
const receptionSchema = z.strictObject({
  kind: z.enum(['kept by all', 'kept by all but guests', 'kept by subscribers', 'given to subscribers']),
  /** Its subscribers are those as of this revision of its stream; -1: those whom it was created with. */
  revision: z.number().int().min(-1),
});
export type Reception = z.infer<typeof receptionSchema>;

/**
 * What a move takes along: of the messages that lie in this channel and topic when the event takes its turn in the log,
 * those whose ids lie within the bounds. Never a list of ids, so that a move of any number of messages is one event.
 */
const selectionSchema = z.strictObject({
  channelId: id,
  /** Compared without regard to case. */
  topic: z.string(),
  bounds: stretch,
  /** What of the channel the mover could see, where its history is protected; null: all of it. */
  visible: z.array(visibleStretch).nullable(),
});
export type MoveSelection = z.infer<typeof selectionSchema>;

/** What every move says. */
const movement = {
  /** The message that the request named. */
  messageId: id,
  mode: z.enum(propagationModes),
  selection: selectionSchema,
  newTopic: z.string(),
};

const exampleSelection: MoveSelection = {
  channelId: 1,
  topic: 'engines',
  bounds: { after: 40, through: null },
  visible: null,
};

const notify = z.strictObject({ oldThread: z.boolean(), newThread: z.boolean() });

/** Stream `channel-<id>` of the channel that the messages leave, or stay in. */
export const MessagesMoved = defineEvent({
  type: 'MessagesMoved',
  description: 'Messages were given another topic, or moved to another channel.',
  schema: z.strictObject({
    ...movement,
    /** Null: they stay in their channel. */
    newChannel: z.strictObject({ channelId: id, reception: receptionSchema }).nullable(),
    /** Where the notification bot says so. */
    notify,
  }),
  example: {
    messageId: 41,
    mode: 'change_later',
    selection: exampleSelection,
    newTopic: 'looms',
    newChannel: { channelId: 2, reception: { kind: 'kept by all but guests', revision: 6 } },
    notify: { oldThread: false, newThread: true },
  },
});

/** Stream `channel-<id>`. */
export const TopicResolved = defineEvent({
  type: 'TopicResolved',
  description: 'A topic was marked as resolved.',
  schema: z.strictObject(movement),
  example: { messageId: 41, mode: 'change_all', selection: exampleSelection, newTopic: '✔ engines' },
});

/** Stream `channel-<id>`. */
export const TopicUnresolved = defineEvent({
  type: 'TopicUnresolved',
  description: 'The mark of a resolved topic was taken away.',
  schema: z.strictObject(movement),
  example: {
    messageId: 41,
    mode: 'change_all',
    selection: { ...exampleSelection, topic: '✔ engines' },
    newTopic: 'engines',
  },
});

export const moveEvents = [MessagesMoved, TopicResolved, TopicUnresolved] as const;

export type MoveEvent = EventOf<(typeof moveEvents)[number]>;

/** A move that is decided and has yet to be appended to the stream of its channel. */
export const intendedMoveSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('MessagesMoved'), data: MessagesMoved.schema }),
  z.strictObject({ type: z.literal('TopicResolved'), data: TopicResolved.schema }),
  z.strictObject({ type: z.literal('TopicUnresolved'), data: TopicUnresolved.schema }),
]);
