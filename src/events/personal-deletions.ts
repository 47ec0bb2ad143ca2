import { DraftDeleted, DraftsDiscarded, ReminderCancelled, ScheduledMessageCancelled } from './personal.js';
import { SavedSnippetDeleted } from './saved-snippets.js';

/** Deletions of texts that are erased with them, where the organization's policy is to erase what people delete. */
export const personalDeletions = [
  DraftDeleted,
  DraftsDiscarded,
  ReminderCancelled,
  ScheduledMessageCancelled,
  SavedSnippetDeleted,
] as const;
