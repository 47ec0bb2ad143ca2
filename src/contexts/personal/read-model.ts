import type { ModelDefinition } from '../../stores/read-store/port.js';
import { RENDERER_VERSION } from '../../markdown/render.js';
import type { Recipient } from '../../events/messages.js';
import type { draftTypes } from '../../events/personal.js';
import type { NavigationView } from './navigation/navigation-views.state.js';

/** Version of the documents' shape; the renderer has a version of its own that counts too. */
const SHAPE_VERSION = 6;

/**
 * What belongs to one person: drafts, reminders, scheduled messages, saved snippets, navigation views,
 * onboarding steps, and the storage of bots.
 */
export const personalModel: ModelDefinition = {
  name: 'personal',
  version: SHAPE_VERSION * 1000 + RENDERER_VERSION,
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

/** A draft in the read model. */
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

/** An open reminder. */
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

/**
 * The message that a reminder is about, kept after it was triggered, so that erasing the message finds
 * everything about it.
 */
export type RememberedDocument = Pick<ReminderDocument, '_id' | 'userId' | 'reminderId' | 'messageId'> & {
  /** Id of the event that triggered it; null while it is open. */
  readonly triggeredBy: string | null;
};

/** A waiting scheduled message. */
export type ScheduledMessageDocument = {
  /** {@link personalDocumentId} of the sender and its id. */
  readonly _id: string;
  readonly userId: number;
  readonly scheduledId: number;
  /** Revision of the event that last changed it. */
  readonly revision: number;
  readonly recipient: Recipient;
  /** Raw Markdown. */
  readonly content: string;
  readonly html: string;
  readonly readBySender: boolean;
  readonly client: string;
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Equal to `dueAt` while it waits; null once it failed. */
  readonly queuedAt: number | null;
  readonly isFailed: boolean;
};

/** A saved snippet. */
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

/** A navigation view. */
export type NavigationViewDocument = NavigationView & {
  /** {@link personalDocumentId} of its owner and its id. */
  readonly _id: string;
  readonly userId: number;
};

/** One value of a bot's storage. */
export type BotStorageDocument = {
  /** The bot's id and the key. */
  readonly _id: string;
  readonly userId: number;
  readonly key: string;
  readonly value: string;
};

/** A completed onboarding step. */
export type CompletedStepDocument = {
  /** The person's id and the step's name. */
  readonly _id: string;
  readonly userId: number;
  readonly step: string;
};

/** The id of a document that belongs to a person, by its id among the person's. */
export function personalDocumentId(userId: number, id: number): string {
  return `${userId}:${id}`;
}
