import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { botStorageEvents } from './bot-storage.js';
import { mentionsSchema, recipientSchema, topicPolicySchema } from './messages.js';
import { navigationViewEvents } from './navigation-views.js';
import { onboardingEvents } from './onboarding.js';
import { savedSnippetEvents } from './saved-snippets.js';
import { referencesSchema } from './values/references-schema.js';

/** Name of a person's own stream. Several folds read it, each its own events. */
export function personalStream(userId: number): string {
  return `user-${userId}`;
}

const id = z.number().int().positive();

/** The kind of place that a draft is addressed to; empty while none is chosen. */
export const draftTypes = ['', 'stream', 'private'] as const;

const draft = z.strictObject({
  userId: id,
  draftId: id,
  type: z.enum(draftTypes),
  /** Id of one channel, or of people. */
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

/** Replaces a draft whose key was destroyed. */
const erasedDraft = { topic: '', content: '(erased)' } as const;

/** Stream `user-<id>`. A draft's id, unique for its writer, is the revision of this event plus one. */
export const DraftSaved = defineEvent({
  type: 'DraftSaved',
  description: 'Somebody saved a draft of a message.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftChanged = defineEvent({
  type: 'DraftChanged',
  description: 'Somebody changed a draft.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftDeleted = defineEvent({
  type: 'DraftDeleted',
  description: 'Somebody deleted or sent a draft.',
  schema: z.strictObject({ userId: id, draftId: id }),
  example: { userId: 3, draftId: 7 },
});

/** Stream `user-<id>`. */
export const DraftsDiscarded = defineEvent({
  type: 'DraftsDiscarded',
  description: 'All drafts of a person were deleted because drafts are no longer stored for this person.',
  schema: z.strictObject({ userId: id, draftIds: z.array(id).min(1) }),
  example: { userId: 3, draftIds: [7, 9] },
});

export const draftEvents = [DraftSaved, DraftChanged, DraftDeleted, DraftsDiscarded] as const;
export type DraftEvent = EventOf<(typeof draftEvents)[number]>;

const reminderName = z.strictObject({ userId: id, reminderId: id });

/** Stream `user-<id>`. A reminder's id is the revision of this event plus one. */
export const ReminderRequested = defineEvent({
  type: 'ReminderRequested',
  version: 2,
  description: 'Somebody requested to be reminded of a message at a certain time.',
  schema: z.strictObject({
    ...reminderName.shape,
    messageId: id,
    /** Seconds since the UNIX epoch. */
    dueAt: z.number().int(),
    /** The text of the reminder, which quotes the message as the person saw it. */
    content: z.string(),
    references: referencesSchema,
    mentions: mentionsSchema,
  }),
  // Version 2 may have `topicParticipantIds`, as every sent text may.
  upcasts: { 1: (data) => data },
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
  description: 'Somebody cancelled a reminder.',
  schema: reminderName,
  example: { userId: 3, reminderId: 8 },
});

/** Stream `user-<id>`. */
export const ReminderTriggered = defineEvent({
  type: 'ReminderTriggered',
  description: 'A reminder is due. The notification bot sends it next.',
  schema: reminderName,
  example: { userId: 3, reminderId: 8 },
});

export const reminderEvents = [ReminderRequested, ReminderCancelled, ReminderTriggered] as const;
export type ReminderEvent = EventOf<(typeof reminderEvents)[number]>;

const scheduledName = z.strictObject({ userId: id, scheduledId: id });

const scheduled = z.strictObject({
  ...scheduledName.shape,
  recipient: recipientSchema,
  content: z.string(),
  references: referencesSchema,
  readBySender: z.boolean(),
  /** Seconds since the UNIX epoch. */
  dueAt: z.number().int(),
  /** Name of the client program that will be recorded as the sender's. */
  client: z.string(),
});
type ScheduledData = z.infer<typeof scheduled>;

const exampleScheduled: ScheduledData = {
  userId: 3,
  scheduledId: 9,
  recipient: { type: 'channel', channelId: 1, topic: 'engines' },
  content: 'Note G is ready.',
  references: {},
  readBySender: true,
  dueAt: 1_767_225_600,
  client: 'website',
};

/** Replaces a scheduled text whose key was destroyed. */
const erasedScheduled = { content: '(erased)', references: {} } as const;

/** Stream `user-<id>`. A scheduled message's id is the revision of this event plus one. */
export const MessageScheduled = defineEvent({
  type: 'MessageScheduled',
  description: 'Somebody scheduled a message.',
  schema: scheduled,
  erasable: { fields: ['content', 'references'], owner: (data) => data.userId, placeholder: erasedScheduled },
  example: exampleScheduled,
});

/** Stream `user-<id>`. */
export const ScheduledMessageChanged = defineEvent({
  type: 'ScheduledMessageChanged',
  description: 'Somebody changed a scheduled message.',
  schema: scheduled,
  erasable: { fields: ['content', 'references'], owner: (data) => data.userId, placeholder: erasedScheduled },
  example: exampleScheduled,
});

/** Stream `user-<id>`. */
export const ScheduledMessageCancelled = defineEvent({
  type: 'ScheduledMessageCancelled',
  description: 'Somebody cancelled a scheduled message.',
  schema: scheduledName,
  example: { userId: 3, scheduledId: 9 },
});

/** Stream `user-<id>`. */
export const ScheduledMessageTriggered = defineEvent({
  type: 'ScheduledMessageTriggered',
  version: 3,
  description: 'A scheduled message is due and its sender may send it. It is sent next.',
  schema: z.strictObject({
    ...scheduledName.shape,
    recipient: recipientSchema,
    content: z.string(),
    references: referencesSchema,
    mentions: mentionsSchema,
    readBySender: z.boolean(),
    topicWishes: z.array(topicPolicySchema).optional(),
    client: z.string(),
  }),
  // Version 2 may have `topicWishes`; version 3 `topicParticipantIds`.
  upcasts: { 1: (data) => data, 2: (data) => data },
  erasable: { fields: ['content', 'references'], owner: (data) => data.userId, placeholder: erasedScheduled },
  example: {
    userId: 3,
    scheduledId: 9,
    recipient: { type: 'channel', channelId: 1, topic: 'engines' },
    content: 'Note G is ready.',
    references: {},
    mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
    readBySender: true,
    client: 'website',
  },
});

/** Stream `user-<id>`. */
export const ScheduledMessageFailed = defineEvent({
  type: 'ScheduledMessageFailed',
  description: 'A scheduled message is due, but its sender may not send it.',
  schema: z.strictObject({ ...scheduledName.shape, reason: z.string() }),
  example: { userId: 3, scheduledId: 9, reason: 'Channel with ID 1 does not exist' },
});

export const scheduledMessageEvents = [
  MessageScheduled,
  ScheduledMessageChanged,
  ScheduledMessageCancelled,
  ScheduledMessageTriggered,
  ScheduledMessageFailed,
] as const;
export type ScheduledMessageEvent = EventOf<(typeof scheduledMessageEvents)[number]>;

export const personalEvents = [
  ...draftEvents,
  ...reminderEvents,
  ...scheduledMessageEvents,
  ...savedSnippetEvents,
  ...navigationViewEvents,
  ...botStorageEvents,
  ...onboardingEvents,
] as const;
export type PersonalEvent = EventOf<(typeof personalEvents)[number]>;
