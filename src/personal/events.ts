import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { mentionsSchema } from '../messages/events.js';
import { referencesSchema } from '../messages/references-schema.js';

const id = z.number().int().positive();

/** What kind of place a draft is addressed to; empty while its writer has chosen none. */
export const draftTypes = ['', 'stream', 'private'] as const;

const draft = z.strictObject({
  userId: id,
  draftId: id,
  type: z.enum(draftTypes),
  /** One channel, or people. */
  to: z.array(id),
  topic: z.string(),
  content: z.string(),
  /** When the client last changed it: seconds since the UNIX epoch. */
  timestamp: z.number().int(),
});
type DraftData = z.infer<typeof draft>;

const exampleDraft: DraftData = {
  userId: 3,
  draftId: 7,
  type: 'stream',
  to: [1],
  topic: 'engines',
  content: 'Note G is alm',
  timestamp: 1_767_225_600,
};

/** What stands in place of a draft whose key was destroyed. */
const erasedDraft = { topic: '', content: '(erased)' } as const;

/** Stream `user-<id>`. A draft's id is the revision of this event plus one: a name among its writer's drafts. */
export const DraftSaved = defineEvent({
  type: 'DraftSaved',
  description: 'Somebody began a message and left it unsent.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftChanged = defineEvent({
  type: 'DraftChanged',
  description: 'Somebody changed a draft of theirs.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftDeleted = defineEvent({
  type: 'DraftDeleted',
  description: 'Somebody threw a draft of theirs away, or sent it.',
  schema: z.strictObject({ userId: id, draftId: id }),
  example: { userId: 3, draftId: 7 },
});

export const draftEvents = [DraftSaved, DraftChanged, DraftDeleted] as const;
export type DraftEvent = EventOf<(typeof draftEvents)[number]>;

const reminderName = z.strictObject({ userId: id, reminderId: id });

/** Stream `user-<id>`. A reminder's id is the revision of this event plus one. */
export const ReminderRequested = defineEvent({
  type: 'ReminderRequested',
  description: 'Somebody asked to be reminded of a message at a time.',
  schema: z.strictObject({
    ...reminderName.shape,
    messageId: id,
    /** Seconds since the UNIX epoch. */
    dueAt: z.number().int(),
    /** What will be said: it quotes the message as the person saw it. */
    content: z.string(),
    references: referencesSchema,
    mentions: mentionsSchema,
  }),
  erasable: {
    fields: ['content', 'references'],
    owner: (data) => data.userId,
    placeholder: { content: '(erased)', references: {} },
  },
  example: {
    userId: 3,
    reminderId: 8,
    messageId: 41,
    dueAt: 1_767_225_600,
    content: 'You requested a reminder for #**lab>engines@41**.',
    references: {},
    mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
  },
});

/** Stream `user-<id>`. */
export const ReminderCancelled = defineEvent({
  type: 'ReminderCancelled',
  description: 'Somebody took a reminder back before its time.',
  schema: reminderName,
  example: { userId: 3, reminderId: 8 },
});

/** Stream `user-<id>`. */
export const ReminderTriggered = defineEvent({
  type: 'ReminderTriggered',
  description: 'The time of a reminder came; the notification bot says it next.',
  schema: reminderName,
  example: { userId: 3, reminderId: 8 },
});

export const reminderEvents = [ReminderRequested, ReminderCancelled, ReminderTriggered] as const;
export type ReminderEvent = EventOf<(typeof reminderEvents)[number]>;

export const personalEvents = [...draftEvents, ...reminderEvents] as const;
export type PersonalEvent = EventOf<(typeof personalEvents)[number]>;
