import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { ReminderRequested, ReminderCancelled, ReminderTriggered } from '../../events/personal.js';
import { limits } from '../../events/values/organization-defaults.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision, sortedIds } from '../../kernel/ids.js';
import type { MessageSent, Recipient } from '../../events/messages.js';
import { composeNotice, type ComposedText, type ComposingContext } from '../messages/sending/compose-text.js';
import { systemBotIds } from '../../access/system-bots.js';
import { refuseNotFuture } from './planned-message.js';
import type { Reminders } from './reminders.state.js';

/** Maximum length of a note, in code points. */
export const MAX_NOTE_LENGTH = limits.reminderNote;

/** The text of a reminder, its time, and its person. */
export interface ReminderDraft {
  readonly userId: number;
  readonly messageId: number;
  readonly dueAt: number;
  readonly text: ComposedText;
}

/** @throws ApplicationError when the time has passed, or the person has too many open reminders */
export function decideRequestReminder(
  { awaited, nextRevision }: Reminders,
  { userId, messageId, dueAt, text }: ReminderDraft,
  { now }: Pick<Snapshot, 'now'>,
): readonly EventOf<typeof ReminderRequested>[] {
  refuseNotFuture(dueAt, now);
  if (awaited.size >= budgets.reminders.max) throw failure('tooManyReminders');
  const data = { userId, reminderId: idAtRevision(nextRevision), messageId, dueAt, ...text };
  return [{ type: 'ReminderRequested', data }];
}

/** What the names in a reminder mean to its person. */
type ReminderNames = Required<Pick<ComposingContext, 'uploads' | 'topicMessages' | 'knows'>>;

/** The note and the message are words that the person knows: names in them mean what they mean to the person. */
export function composeReminder(
  content: string,
  author: User,
  { snapshot, ...names }: ReminderNames & Pick<ComposingContext, 'snapshot'>,
): ComposedText {
  const sender = snapshot.directory.user(systemBotIds.notification);
  if (sender === null) throw failure('unavailable');
  const recipient: Recipient = { type: 'direct', userIds: [systemBotIds.notification, author.id] };
  return composeNotice(content, { snapshot, sender, author, recipient, topicParticipantIds: [], ...names });
}

/** @throws ApplicationError `noSuchReminder`, also once it was triggered */
export function decideCancelReminder(
  reminders: Reminders,
  reminder: { readonly userId: number; readonly reminderId: number },
): readonly EventOf<typeof ReminderCancelled>[] {
  if (!reminders.awaited.has(reminder.reminderId)) throw failure('noSuchReminder');
  return decideCancelReminderIfOpen(reminders, reminder);
}

/** Cancels a reminder with the message that it is about. Returns no events when it is not open any more. */
export function decideCancelReminderIfOpen(
  { awaited }: Reminders,
  { userId, reminderId }: { readonly userId: number; readonly reminderId: number },
): readonly EventOf<typeof ReminderCancelled>[] {
  return awaited.has(reminderId) ? [{ type: 'ReminderCancelled', data: { userId, reminderId } }] : [];
}

/** No events for a reminder that is not open any more, or not due yet. */
export function decideTriggerReminder(
  { awaited }: Reminders,
  { userId, reminderId }: { readonly userId: number; readonly reminderId: number },
  /** Seconds since the UNIX epoch. */
  dueBy: number,
): readonly EventOf<typeof ReminderTriggered>[] {
  const dueAt = awaited.get(reminderId);
  if (dueAt === undefined || dueAt > dueBy) return [];
  return [{ type: 'ReminderTriggered', data: { userId, reminderId } }];
}

/** Sends a triggered reminder to its person, who has it as unread. */
export function decideSendReminder({
  userId,
  content,
  references,
  mentions,
}: EventOf<typeof ReminderRequested>['data']): readonly EventOf<typeof MessageSent>[] {
  const senderId = systemBotIds.notification;
  const recipient: Recipient = { type: 'direct', userIds: sortedIds([senderId, userId]) };
  const data = { senderId, recipient, readBySender: true, content, references, mentions };
  return [{ type: 'MessageSent', data }];
}
