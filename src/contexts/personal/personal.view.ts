import type { Recipient } from '../../events/messages.js';
import type {
  DraftDocument,
  NavigationViewDocument,
  ReminderDocument,
  SavedSnippetDocument,
  ScheduledMessageDocument,
} from './read-model.js';
import type {
  DraftObject,
  NavigationViewObject,
  ReminderObject,
  SavedSnippetObject,
  ScheduledMessageObject,
} from './personal.replies.js';
import { toSeconds } from '../../kernel/clock.js';

/** Formats a draft for the API. */
export function draftObject(draft: Omit<DraftDocument, '_id'>): DraftObject {
  const { draftId: id, type, to, topic, content, timestamp } = draft;
  return { id, type, to, topic, content, timestamp };
}

/** Formats a reminder for the API. */
export function reminderObject(reminder: Omit<ReminderDocument, '_id'>): ReminderObject {
  return {
    reminder_id: reminder.reminderId,
    type: 'private',
    to: [reminder.userId],
    content: reminder.content,
    rendered_content: reminder.html,
    scheduled_delivery_timestamp: reminder.dueAt,
    failed: false,
    reminder_target_message_id: reminder.messageId,
  };
}

/** The addressee of a scheduled message in the API. */
type ScheduledAddress =
  | { readonly type: 'stream'; readonly to: number; readonly topic: string }
  | { readonly type: 'private'; readonly to: readonly number[] };

/** Formats a scheduled message for the API. */
export function scheduledMessageObject(
  message: Pick<
    ScheduledMessageDocument,
    'userId' | 'scheduledId' | 'recipient' | 'content' | 'html' | 'dueAt' | 'isFailed'
  >,
): ScheduledMessageObject {
  return {
    scheduled_message_id: message.scheduledId,
    ...addressOf(message.recipient, message.userId),
    content: message.content,
    rendered_content: message.html,
    scheduled_delivery_timestamp: message.dueAt,
    failed: message.isFailed,
  };
}

/** Direct messages name everyone but the sender, except notes to oneself. */
function addressOf(recipient: Recipient, userId: number): ScheduledAddress {
  switch (recipient.type) {
    case 'channel':
      return { type: 'stream', to: recipient.channelId, topic: recipient.topic };
    case 'direct': {
      const others = recipient.userIds.filter((id) => id !== userId);
      return { type: 'private', to: others.length === 0 ? [userId] : others };
    }
  }
}

/** Formats a saved snippet for the API. */
export function savedSnippetObject({
  snippetId,
  title,
  content,
  createdAt,
}: Omit<SavedSnippetDocument, '_id' | 'userId'>): SavedSnippetObject {
  return { id: snippetId, title, content, date_created: toSeconds(createdAt) };
}

/** Formats a navigation view for the API. */
export function navigationViewObject({
  fragment,
  isPinned,
  name,
}: Pick<NavigationViewDocument, 'fragment' | 'isPinned' | 'name'>): NavigationViewObject {
  return { fragment, is_pinned: isPinned, name };
}
