import type { ModelDefinition } from '../../stores/read-store/port.js';
import { RENDERER_VERSION } from '../../markdown/render.js';
import type { Recipient } from '../../events/messages.js';
import type { draftTypes } from '../../events/personal.js';
import type { NavigationView } from './navigation/navigation-views.state.js';

/** The version of the documents' shape; the renderer's own version counts with it. */
const shapeVersion = 6;

/** What concerns one person alone: their drafts, reminders and scheduled messages, what they saved, their menu, what they need not be shown again, and what bots noted. */
export const personalModel: ModelDefinition = {
  name: 'personal',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'drafts', indexes: [{ key: { userId: 1, timestamp: 1, draftId: 1 } }] },
    { name: 'reminders', indexes: [{ key: { userId: 1, dueAt: 1, reminderId: 1 } }, { key: { dueAt: 1 } }] },
    { name: 'remembered', indexes: [{ key: { messageId: 1 } }] },
    {
      name: 'scheduled_messages',
      indexes: [{ key: { userId: 1, dueAt: 1, scheduledId: 1 } }, { key: { queuedAt: 1 } }],
    },
    { name: 'saved_snippets', indexes: [{ key: { userId: 1, snippetId: 1 } }] },
    { name: 'navigation_views', indexes: [{ key: { userId: 1, viewId: 1 } }] },
    { name: 'bot_storage', indexes: [{ key: { userId: 1, key: 1 } }] },
    { name: 'onboarding_steps', indexes: [{ key: { userId: 1 } }] },
  ],
};

/** A draft as the read model keeps it. */
export type DraftDocument = {
  /** {@link personalDocumentId} of its writer and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly draftId: number;
  readonly type: (typeof draftTypes)[number];
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
};

/** A reminder that is awaited. */
export type ReminderDocument = {
  /** {@link personalDocumentId} of the person and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly reminderId: number;
  readonly messageId: number;
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Raw Markdown. */
  readonly content: string;
  readonly html: string;
};

/** Of which message a reminder tells, also once it did: whoever erases the message finds what tells of it. */
export type RememberedDocument = Pick<ReminderDocument, '_id' | 'userId' | 'reminderId' | 'messageId'> & {
  /** Id of the event by which it came due; null while it is awaited. */
  readonly triggeredBy: string | null;
};

/** A message that waits for its time. */
export type ScheduledMessageDocument = {
  /** {@link personalDocumentId} of the sender and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly scheduledId: number;
  /** Revision of the event that made it what it is. */
  readonly revision: number;
  readonly recipient: Recipient;
  /** Raw Markdown. */
  readonly content: string;
  readonly html: string;
  readonly readBySender: boolean;
  readonly client: string;
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** The same while its time is waited for; null once it failed. */
  readonly queuedAt: number | null;
  readonly isFailed: boolean;
};

/** A text that somebody saved to use again. */
export type SavedSnippetDocument = {
  /** {@link personalDocumentId} of its owner and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly snippetId: number;
  readonly title: string;
  /** Raw Markdown. */
  readonly content: string;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
};

/** A view of a person's menu. */
export type NavigationViewDocument = NavigationView & {
  /** {@link personalDocumentId} of its owner and its id. */
  readonly _id: string;
  readonly userId: number;
};

/** What a bot noted under a key. */
export type BotStorageDocument = {
  /** The bot's id and the key. */
  readonly _id: string;
  readonly userId: number;
  readonly key: string;
  readonly value: string;
};

/** A step that somebody completed. */
export type CompletedStepDocument = {
  /** The person's id and the step's name. */
  readonly _id: string;
  readonly userId: number;
  readonly step: string;
};

/** Names a document by the person whose it is and its id among what is theirs. */
export function personalDocumentId(userId: number, id: number): string {
  return `${userId}:${id}`;
}
