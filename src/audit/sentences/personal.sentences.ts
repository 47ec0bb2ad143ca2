import type { PersonalEvent } from '../../events/personal.js';
import type { SettingEvent } from '../../events/settings.js';
import type { Sentences, SentenceTable } from './event-formatter.js';
import { counted, listed, plain, quoted, settingName, timeOf } from './wording.js';

/** What people and bots store for themselves. */
const personalSentences: Sentences<PersonalEvent> = {
  DraftSaved: ({ userId, draftId, content }, format) =>
    `${format.person(userId)} saved draft ${draftId}: ${quoted(content)}.`,
  DraftChanged: ({ userId, draftId, content }, format) =>
    `${format.person(userId)} changed draft ${draftId}, which now says ${quoted(content)}.`,
  DraftDeleted: ({ userId, draftId }, format) => `${format.person(userId)} deleted draft ${draftId}.`,
  DraftsDiscarded: ({ userId, draftIds }, format) =>
    `All ${counted(draftIds.length, 'draft')} of ${format.person(userId)} were deleted, because drafts are no longer kept for them.`,
  ReminderRequested: ({ userId, reminderId, messageId, dueAt }, format) =>
    `${format.person(userId)} asked to be reminded of message ${messageId} at ${timeOf(dueAt * 1_000)} (reminder ${reminderId}).`,
  ReminderCancelled: ({ userId, reminderId }, format) =>
    `${format.person(userId)} cancelled reminder ${reminderId}.`,
  ReminderTriggered: ({ userId, reminderId }, format) =>
    `Reminder ${reminderId} of ${format.person(userId)} was due.`,
  MessageScheduled: ({ userId, scheduledId, recipient, dueAt, content }, format) =>
    `${format.person(userId)} scheduled message ${scheduledId} to ${format.place(recipient)} for ${timeOf(dueAt * 1_000)}: ${quoted(content)}.`,
  ScheduledMessageChanged: ({ userId, scheduledId, recipient, dueAt, content }, format) =>
    `${format.person(userId)} changed the scheduled message ${scheduledId} to ${format.place(recipient)}, now for ${timeOf(dueAt * 1_000)}: ${quoted(content)}.`,
  ScheduledMessageCancelled: ({ userId, scheduledId }, format) =>
    `${format.person(userId)} cancelled the scheduled message ${scheduledId}.`,
  ScheduledMessageTriggered: ({ userId, scheduledId, recipient }, format) =>
    `The scheduled message ${scheduledId} of ${format.person(userId)} to ${format.place(recipient)} was due.`,
  ScheduledMessageFailed: ({ userId, scheduledId, reason }, format) =>
    `The scheduled message ${scheduledId} of ${format.person(userId)} could not be sent: ${quoted(reason)}.`,
  SavedSnippetCreated: ({ userId, snippetId, title }, format) =>
    `${format.person(userId)} saved snippet ${snippetId}, ${quoted(title)}.`,
  SavedSnippetChanged: ({ userId, snippetId, title }, format) =>
    `${format.person(userId)} changed snippet ${snippetId}${title === null ? '' : `, now ${quoted(title)}`}.`,
  SavedSnippetDeleted: ({ userId, snippetId }, format) =>
    `${format.person(userId)} deleted snippet ${snippetId}.`,
  NavigationViewAdded: ({ userId, fragment, isPinned }, format) =>
    `${format.person(userId)} ${isPinned ? 'pinned' : 'hid'} the view ${quoted(fragment)} in their menu.`,
  NavigationViewChanged: ({ userId, fragment }, format) =>
    `${format.person(userId)} changed the view ${quoted(fragment)} in their menu.`,
  NavigationViewRemoved: ({ userId, fragment }, format) =>
    `${format.person(userId)} removed the view ${quoted(fragment)} from their menu.`,
  BotStorageChanged: ({ userId, entries }, format) =>
    `The bot ${format.person(userId)} stored values under ${listed(
      entries.map(({ key }) => quoted(key)),
      'no keys',
    )}.`,
  BotStorageCleared: ({ userId, keys }, format) =>
    `The bot ${format.person(userId)} removed what it had stored under ${listed(keys.map(quoted), 'some keys')}.`,
  OnboardingStepCompleted: ({ userId, step }, format) =>
    `${format.person(userId)} saw the notice ${plain(step)}, which clients show once.`,
};

const settingSentences: Sentences<SettingEvent> = {
  UserSettingChanged: ({ userId, setting, value }, format) =>
    `${format.actor} set ${settingName(setting)} to ${format.value(value)} ${format.forWhom(userId)}.`,
  UserSettingAssigned: ({ setting, value, userIds }, format) =>
    `${format.actor} set ${settingName(setting)} to ${format.value(value)} for ${format.people(userIds)}.`,
  UserSettingDefaultChanged: ({ setting, value }, format) =>
    `${format.actor} set ${settingName(setting)} to ${format.value(value)} for new accounts.`,
};

/** The tables of this file. */
export const personalTables: readonly SentenceTable[] = [personalSentences, settingSentences];
