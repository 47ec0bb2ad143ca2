import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/**
 * The messages that move: only the one that the request names, that and all later ones of its topic, or the
 * whole topic.
 */
export const propagationModes = ['change_one', 'change_later', 'change_all'] as const;
export type PropagationMode = (typeof propagationModes)[number];

/** A range of ids: those above `after`, up to and including `through` (null: no end). */
const range = z.strictObject({
  after: z.number().int().nonnegative(),
  through: z.number().int().nonnegative().nullable(),
});

/** A range of ids that somebody can see in a channel. */
const visibleRange = range.extend({
  /** Numbers of the placements of its messages, in log order; null: they were sent there. */
  arrivals: z.array(id).nullable(),
});

/**
 * Who has the messages after they came to another channel: of those who had them before, everyone (in a
 * public channel, guests only if subscribed), or only its subscribers; or, if its history is protected, all
 * of its subscribers, whether they had them or not.
 */
const visibilityAfterMoveSchema = z.strictObject({
  kind: z.enum(['kept by all', 'kept by all but guests', 'kept by subscribers', 'given to subscribers']),
  /** Subscribers count as of this revision of the channel's stream; -1: those whom it was created with. */
  revision: z.number().int().min(-1),
});
export type VisibilityAfterMove = z.infer<typeof visibilityAfterMoveSchema>;

/**
 * The messages that a move takes along: those in this channel and topic at the event's position in the log
 * whose ids are within the bounds. Never a list of ids, so that a move of any number of messages is one
 * event.
 */
const selectionSchema = z.strictObject({
  channelId: id,
  /** Compared ignoring case. */
  topic: z.string(),
  bounds: range,
  /** What the mover could see of the channel, if its history is protected; null: all of it. */
  visible: z.array(visibleRange).nullable(),
});
export type MoveSelection = z.infer<typeof selectionSchema>;

/** The fields of every move. */
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
  description: 'Messages were moved to another topic or another channel.',
  schema: z.strictObject({
    ...movement,
    /** Null: they stay in their channel. */
    newChannel: z.strictObject({ channelId: id, reception: visibilityAfterMoveSchema }).nullable(),
    /** Where the notification bot sends a notice. */
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
  description: 'A resolved topic was marked as unresolved.',
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

/** The channel where the messages are after the move: another one, or their own. */
export function targetChannelOf({ type, data }: MoveEvent): number {
  return (type === 'MessagesMoved' ? data.newChannel?.channelId : null) ?? data.selection.channelId;
}

/** A move that was decided, but not appended to the stream of its channel yet. */
export const intendedMoveSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('MessagesMoved'), data: MessagesMoved.schema }),
  z.strictObject({ type: z.literal('TopicResolved'), data: TopicResolved.schema }),
  z.strictObject({ type: z.literal('TopicUnresolved'), data: TopicUnresolved.schema }),
]);
