import type { SavedSnippetDocument, ScheduledMessageDocument } from './read-model.js';

/** The read models behind client events about drafts, reminders, scheduled messages and the like. */
export interface PersonalModels {
  /** A waiting scheduled message; null when it does not wait any more. */
  scheduledMessage(userId: number, scheduledId: number): Promise<ScheduledMessageDocument | null>;

  /** Null when it was deleted. */
  savedSnippet(userId: number, snippetId: number): Promise<SavedSnippetDocument | null>;

  /** Names of the onboarding steps that a person completed. */
  completedSteps(userId: number): Promise<readonly string[]>;
}
