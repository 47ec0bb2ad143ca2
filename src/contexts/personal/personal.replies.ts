import { z } from 'zod';
import { type Described, html, id, ids, named, seconds } from '../../http/replies/common-schemas.js';

/** A draft in the API. */
export const draftSchema = named(
  'Draft',
  z.strictObject({
    id,
    type: z.enum(['', 'private', 'stream']).describe('Empty: the sender has not chosen a recipient yet'),
    to: ids.describe('The id of one channel, or the account ids of the recipients'),
    topic: z.string(),
    content: z.string().describe('Markdown'),
    timestamp: seconds,
  }),
);

/** Type of {@link draftSchema}. */
export type DraftObject = Described<typeof draftSchema>;

const due = {
  content: z.string().describe('Markdown'),
  rendered_content: html,
  scheduled_delivery_timestamp: seconds,
  failed: z.boolean(),
} as const;

/** A reminder in the API. */
export const reminderSchema = named(
  'Reminder',
  z.strictObject({
    reminder_id: id,
    type: z.literal('private'),
    to: ids.describe('The account id of the owner of the reminder'),
    ...due,
    reminder_target_message_id: id,
  }),
);

/** Type of {@link reminderSchema}. */
export type ReminderObject = Described<typeof reminderSchema>;

/** A scheduled message in the API. */
export const scheduledMessageSchema = named(
  'ScheduledMessage',
  z.union([
    z.strictObject({
      scheduled_message_id: id,
      type: z.literal('stream'),
      to: id,
      topic: z.string(),
      ...due,
    }),
    z.strictObject({ scheduled_message_id: id, type: z.literal('private'), to: ids, ...due }),
  ]),
);

/** Type of {@link scheduledMessageSchema}. */
export type ScheduledMessageObject = Described<typeof scheduledMessageSchema>;

/** A saved snippet in the API. */
export const savedSnippetSchema = named(
  'SavedSnippet',
  z.strictObject({
    id,
    title: z.string(),
    content: z.string().describe('Markdown'),
    date_created: seconds,
  }),
);

/** Type of {@link savedSnippetSchema}. */
export type SavedSnippetObject = Described<typeof savedSnippetSchema>;

/** A navigation view in the API. */
export const navigationViewSchema = named(
  'NavigationView',
  z.strictObject({
    fragment: z.string().describe('The hash of the URL of the view, which identifies it'),
    is_pinned: z.boolean(),
    name: z.string().nullable().describe('Null: a built-in view'),
  }),
);

/** Type of {@link navigationViewSchema}. */
export type NavigationViewObject = Described<typeof navigationViewSchema>;

/** Answered by `GET drafts`. */
export const draftsReply = { count: z.int(), drafts: z.array(draftSchema) };

/** Answered by `POST drafts`. */
export const savedDraftsReply = { ids };

/** Answered by `GET reminders`. */
export const remindersReply = { reminders: z.array(reminderSchema) };

/** Answered by `POST reminders`. */
export const createdReminderReply = { reminder_id: id };

/** Answered by `GET scheduled_messages`. */
export const scheduledMessagesReply = { scheduled_messages: z.array(scheduledMessageSchema) };

/** Answered by `POST scheduled_messages`. */
export const scheduledReply = { scheduled_message_id: id };

/** Answered by `GET saved_snippets`. */
export const savedSnippetsReply = { saved_snippets: z.array(savedSnippetSchema) };

/** Answered by `POST saved_snippets`. */
export const createdSnippetReply = { saved_snippet_id: id };

/** Answered by `GET navigation_views`. */
export const navigationViewsReply = { navigation_views: z.array(navigationViewSchema) };

/** Answered by `GET bot_storage`. */
export const botStorageReply = { storage: z.record(z.string(), z.string()) };
