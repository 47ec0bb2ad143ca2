import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const range = z.strictObject({ from: id, through: id }).refine(({ from, through }) => from <= through);
const ofRanges = z.strictObject({ userId: id, ranges: z.array(range).min(1) });
const ofMessages = z.strictObject({ userId: id, messageIds: z.array(id).min(1) });

/** Stream `flags-<user id>`, like all events of this file. */
export const MessagesMarkedRead = defineEvent({
  type: 'MessagesMarkedRead',
  description:
    'A person read messages: all that reached them with these ids. The stretches run over ids of messages that never reached them.',
  schema: ofRanges.extend({
    /** Whether the person marked everything as read. */
    everything: z.literal(true).optional(),
  }),
  example: { userId: 3, ranges: [{ from: 1, through: 41 }], everything: true },
});

export const MessagesMarkedUnread = defineEvent({
  type: 'MessagesMarkedUnread',
  description: 'A person marked messages as unread, though some of them may have arrived as read.',
  schema: ofRanges,
  example: { userId: 3, ranges: [{ from: 40, through: 41 }] },
});

export const MessagesStarred = defineEvent({
  type: 'MessagesStarred',
  description: 'A person starred messages; those that had never reached them are theirs from then on.',
  schema: z.strictObject({
    userId: id,
    messageIds: z.array(id).min(1),
    /** Those of the messages that had never reached the person. */
    adoptedIds: z.array(id),
  }),
  example: { userId: 3, messageIds: [12, 41], adoptedIds: [12] },
});

export const MessagesUnstarred = defineEvent({
  type: 'MessagesUnstarred',
  description: 'A person took the star off messages.',
  schema: ofMessages,
  example: { userId: 3, messageIds: [12] },
});

export const MessagesCollapsed = defineEvent({
  type: 'MessagesCollapsed',
  description: 'A person chose to see only the beginning of messages.',
  schema: ofMessages,
  example: { userId: 3, messageIds: [41] },
});

export const MessagesUncollapsed = defineEvent({
  type: 'MessagesUncollapsed',
  description: 'A person chose to see messages whole again.',
  schema: ofMessages,
  example: { userId: 3, messageIds: [41] },
});

export const flagEvents = [
  MessagesMarkedRead,
  MessagesMarkedUnread,
  MessagesStarred,
  MessagesUnstarred,
  MessagesCollapsed,
  MessagesUncollapsed,
] as const;

export type FlagEvent = EventOf<(typeof flagEvents)[number]>;
