import type { SavedSnippetDocument, ScheduledMessageDocument } from './read-model.js';

/** What tells clients of what concerns one person alone. */
export interface PersonalModels {
  /** One that waits; null when it does not any more. */
  scheduledMessage(userId: number, scheduledId: number): Promise<ScheduledMessageDocument | null>;

  /** Null when there is none any more. */
  savedSnippet(userId: number, snippetId: number): Promise<SavedSnippetDocument | null>;

  /** Names of the onboarding steps that a person completed. */
  completedSteps(userId: number): Promise<readonly string[]>;
}
