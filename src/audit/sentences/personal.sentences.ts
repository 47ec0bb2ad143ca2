import type { PersonalEvent } from '../../events/personal.js';
import type { SettingEvent } from '../../events/settings.js';
import type { Sentences } from './teller.js';
import { counted, listed, plain, quoted, settingName, timeOf } from './wording.js';

/** What people and bots keep for themselves. */
export const personalSentences: Sentences<PersonalEvent> = {
  DraftSaved: ({ userId, draftId, content }, told) =>
    `${told.person(userId)} saved draft ${draftId}: ${quoted(content)}.`,
  DraftChanged: ({ userId, draftId, content }, told) =>
    `${told.person(userId)} changed draft ${draftId}, which now says ${quoted(content)}.`,
  DraftDeleted: ({ userId, draftId }, told) => `${told.person(userId)} deleted draft ${draftId}.`,
  DraftsDiscarded: ({ userId, draftIds }, told) =>
    `All ${counted(draftIds.length, 'draft')} of ${told.person(userId)} were deleted, because drafts are no longer kept for them.`,
  ReminderRequested: ({ userId, reminderId, messageId, dueAt }, told) =>
    `${told.person(userId)} asked to be reminded of message ${messageId} at ${timeOf(dueAt * 1_000)} (reminder ${reminderId}).`,
  ReminderCancelled: ({ userId, reminderId }, told) =>
    `${told.person(userId)} took reminder ${reminderId} back.`,
  ReminderTriggered: ({ userId, reminderId }, told) =>
    `The time of reminder ${reminderId} of ${told.person(userId)} came.`,
  MessageScheduled: ({ userId, scheduledId, recipient, dueAt, content }, told) =>
    `${told.person(userId)} scheduled message ${scheduledId} to ${told.place(recipient)} for ${timeOf(dueAt * 1_000)}: ${quoted(content)}.`,
  ScheduledMessageChanged: ({ userId, scheduledId, recipient, dueAt, content }, told) =>
    `${told.person(userId)} changed the scheduled message ${scheduledId} to ${told.place(recipient)}, now for ${timeOf(dueAt * 1_000)}: ${quoted(content)}.`,
  ScheduledMessageCancelled: ({ userId, scheduledId }, told) =>
    `${told.person(userId)} took the scheduled message ${scheduledId} back.`,
  ScheduledMessageTriggered: ({ userId, scheduledId, recipient }, told) =>
    `The time of the scheduled message ${scheduledId} of ${told.person(userId)} to ${told.place(recipient)} came.`,
  ScheduledMessageFailed: ({ userId, scheduledId, reason }, told) =>
    `The scheduled message ${scheduledId} of ${told.person(userId)} could not be sent: ${quoted(reason)}.`,
  SavedSnippetCreated: ({ userId, snippetId, title }, told) =>
    `${told.person(userId)} saved snippet ${snippetId}, ${quoted(title)}.`,
  SavedSnippetChanged: ({ userId, snippetId, title }, told) =>
    `${told.person(userId)} changed snippet ${snippetId}${title === null ? '' : `, now ${quoted(title)}`}.`,
  SavedSnippetDeleted: ({ userId, snippetId }, told) =>
    `${told.person(userId)} deleted snippet ${snippetId}.`,
  NavigationViewAdded: ({ userId, fragment, isPinned }, told) =>
    `${told.person(userId)} ${isPinned ? 'pinned' : 'hid'} the view ${quoted(fragment)} in their menu.`,
  NavigationViewChanged: ({ userId, fragment }, told) =>
    `${told.person(userId)} changed the view ${quoted(fragment)} in their menu.`,
  NavigationViewRemoved: ({ userId, fragment }, told) =>
    `${told.person(userId)} took the view ${quoted(fragment)} out of their menu.`,
  BotStorageChanged: ({ userId, entries }, told) =>
    `The bot ${told.person(userId)} noted values under ${listed(
      entries.map(({ key }) => quoted(key)),
      'no keys',
    )}.`,
  BotStorageCleared: ({ userId, keys }, told) =>
    `The bot ${told.person(userId)} removed what it had noted under ${listed(keys.map(quoted), 'some keys')}.`,
  OnboardingStepCompleted: ({ userId, step }, told) =>
    `${told.person(userId)} saw the notice ${plain(step)}, which clients show once.`,
};

/** Settings of people. */
export const settingSentences: Sentences<SettingEvent> = {
  UserSettingChanged: ({ userId, setting, value }, told) =>
    `${told.person(userId)} set ${settingName(setting)} to ${told.value(value)} for themselves.`,
  UserSettingAssigned: ({ setting, value, userIds }, told) =>
    `${told.actor} set ${settingName(setting)} to ${told.value(value)} for ${told.people(userIds)}.`,
  UserSettingDefaultChanged: ({ setting, value }, told) =>
    `${told.actor} let ${settingName(setting)} of new accounts begin as ${told.value(value)}.`,
};
