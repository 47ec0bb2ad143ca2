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
    'A person read the messages in ranges of ids, or the server marked them as read for this person, who left their channel or muted their sender; the event then has a cause. The ranges may include ids of messages that this person never received.',
  schema: ofRanges.extend({
    /** Whether the person marked everything as read. */
    everything: z.literal(true).optional(),
    /**
     * Those of the messages that became read, if the ranges contain others as well. Left out where they would
     * make a long list, and in earlier events.
     */
    changed: z.array(range).min(1).optional(),
    /** The sender, if the server marked them because the person muted this sender. */
    mutedUserId: id.optional(),
  }),
  example: { userId: 3, ranges: [{ from: 1, through: 41 }], everything: true },
});

export const MessagesMarkedUnread = defineEvent({
  type: 'MessagesMarkedUnread',
  description:
    'A person marked messages as unread. Some of them may have been marked as read when they arrived.',
  schema: ofRanges,
  example: { userId: 3, ranges: [{ from: 40, through: 41 }] },
});

export const MessagesStarred = defineEvent({
  type: 'MessagesStarred',
  description:
    'A person starred messages. Starred messages that this person had not received are theirs from now on.',
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
  description: 'A person removed the star from messages.',
  schema: ofMessages,
  example: { userId: 3, messageIds: [12] },
});

export const MessagesCollapsed = defineEvent({
  type: 'MessagesCollapsed',
  description: 'A person collapsed messages: clients show only their beginning.',
  schema: ofMessages,
  example: { userId: 3, messageIds: [41] },
});

export const MessagesUncollapsed = defineEvent({
  type: 'MessagesUncollapsed',
  description: 'A person expanded collapsed messages: clients show them completely again.',
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
