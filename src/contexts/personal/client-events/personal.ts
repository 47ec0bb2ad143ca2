import type { EventOf } from '../../../kernel/event.js';
import { renderMarkdown } from '../../../markdown/render.js';
import type {
  MessageScheduled,
  DraftEvent,
  ReminderEvent,
  ScheduledMessageEvent,
  ReminderCancelled,
  ScheduledMessageCancelled,
} from '../../../events/personal.js';
import { draftObject, reminderObject, scheduledMessageObject } from '../personal-objects.js';
import { noClientEvent, mapper, type AddressedEvent, type Mappers } from '../../../realtime/mapper.js';
import { toSelf } from '../../../realtime/to-self.js';
import type { PersonalModels } from '../client-models.js';

/** Client events about drafts, reminders and scheduled messages. */
export const personalMappers: Mappers<DraftEvent | ReminderEvent | ScheduledMessageEvent, PersonalModels> = {
  DraftSaved: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'add', drafts: [draftObject(data)] }),
  },
  DraftChanged: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'update', draft: draftObject(data) }),
  },
  DraftDeleted: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'remove', draft_id: data.draftId }),
  },
  // Clients keep their own copies when synchronization is turned off (`enable_drafts_synchronization`).
  DraftsDiscarded: noClientEvent,
  ReminderRequested: {
    clientEvents: ({ data }) => {
      const { html } = renderMarkdown(data.content, data.references);
      const reminders = [reminderObject({ ...data, html })];
      return toSelf(data, { type: 'reminders', op: 'add', reminders });
    },
  },
  ReminderCancelled: { clientEvents: ({ data }) => reminderGone(data) },
  ReminderTriggered: { clientEvents: ({ data }) => reminderGone(data) },
  MessageScheduled: {
    clientEvents: ({ data }) => {
      const scheduled = [scheduledObject(data)];
      return toSelf(data, { type: 'scheduled_messages', op: 'add', scheduled_messages: scheduled });
    },
  },
  ScheduledMessageChanged: {
    clientEvents: ({ data }) => {
      const scheduled = scheduledObject(data);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  },
  ScheduledMessageCancelled: { clientEvents: ({ data }) => scheduledGone(data) },
  ScheduledMessageTriggered: { clientEvents: ({ data }) => scheduledGone(data) },
  ScheduledMessageFailed: mapper({
    read: ({ data }, models) => models.scheduledMessage(data.userId, data.scheduledId),
    clientEvents: ({ data }, { read: message }) => {
      if (message === null) return [];
      const scheduled = scheduledMessageObject(message);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  }),
};

function reminderGone(data: EventOf<typeof ReminderCancelled>['data']): readonly AddressedEvent[] {
  return toSelf(data, { type: 'reminders', op: 'remove', reminder_id: data.reminderId });
}

function scheduledGone(data: EventOf<typeof ScheduledMessageCancelled>['data']): readonly AddressedEvent[] {
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
