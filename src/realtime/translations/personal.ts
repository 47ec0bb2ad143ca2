import type { EventOf } from '../../kernel/event.js';
import { renderMarkdown } from '../../messages/markdown/render.js';
import type {
  MessageScheduled,
  DraftEvent,
  ReminderEvent,
  ScheduledMessageEvent,
  ReminderCancelled,
  ScheduledMessageCancelled,
} from '../../personal/events.js';
import { draftObject, reminderObject, scheduledMessageObject } from '../../personal/personal-objects.js';
import { noClientEvent, translation, type Notice, type Translations } from '../translation.js';
import { toSelf } from './to-self.js';

/** What concerns one person alone: drafts, reminders and scheduled messages. */
export const personalTranslations: Translations<DraftEvent | ReminderEvent | ScheduledMessageEvent> = {
  DraftSaved: {
    notices: ({ data }) => toSelf(data, { type: 'drafts', op: 'add', drafts: [draftObject(data)] }),
  },
  DraftChanged: {
    notices: ({ data }) => toSelf(data, { type: 'drafts', op: 'update', draft: draftObject(data) }),
  },
  DraftDeleted: {
    notices: ({ data }) => toSelf(data, { type: 'drafts', op: 'remove', draft_id: data.draftId }),
  },
  // Clients keep their own copies (specification, "User settings", enable_drafts_synchronization).
  DraftsDiscarded: noClientEvent,
  ReminderRequested: {
    notices: ({ data }) => {
      const { html } = renderMarkdown(data.content, data.references);
      const reminders = [reminderObject({ ...data, html })];
      return toSelf(data, { type: 'reminders', op: 'add', reminders });
    },
  },
  ReminderCancelled: { notices: ({ data }) => reminderGone(data) },
  ReminderTriggered: { notices: ({ data }) => reminderGone(data) },
  MessageScheduled: {
    notices: ({ data }) => {
      const scheduled = [scheduledObject(data)];
      return toSelf(data, { type: 'scheduled_messages', op: 'add', scheduled_messages: scheduled });
    },
  },
  ScheduledMessageChanged: {
    notices: ({ data }) => {
      const scheduled = scheduledObject(data);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  },
  ScheduledMessageCancelled: { notices: ({ data }) => scheduledGone(data) },
  ScheduledMessageTriggered: { notices: ({ data }) => scheduledGone(data) },
  ScheduledMessageFailed: translation({
    read: ({ data }, models) => models.scheduledMessage(data.userId, data.scheduledId),
    notices: ({ data }, { read: message }) => {
      if (message === null) return [];
      const scheduled = scheduledMessageObject(message);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  }),
};

function reminderGone(data: EventOf<typeof ReminderCancelled>['data']): readonly Notice[] {
  return toSelf(data, { type: 'reminders', op: 'remove', reminder_id: data.reminderId });
}

function scheduledGone(data: EventOf<typeof ScheduledMessageCancelled>['data']): readonly Notice[] {
  return toSelf(data, {
    type: 'scheduled_messages',
    op: 'remove',
    scheduled_message_id: data.scheduledId,
  });
}

function scheduledObject(data: EventOf<typeof MessageScheduled>['data']): object {
  const { html } = renderMarkdown(data.content, data.references);
  return scheduledMessageObject({ ...data, html, isFailed: false });
}
