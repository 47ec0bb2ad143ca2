import {
  personalModel,
  personalDocumentId,
  type DraftDocument,
  type RememberedDocument,
  type ReminderDocument,
  type ScheduledMessageDocument,
} from '../src/contexts/personal/read-model.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { renderMarkdown } from '../src/markdown/render.js';
import {
  DraftChanged,
  DraftDeleted,
  DraftsDiscarded,
  DraftSaved,
  MessageScheduled,
  ReminderCancelled,
  ReminderRequested,
  ReminderTriggered,
  ScheduledMessageCancelled,
  ScheduledMessageChanged,
  ScheduledMessageFailed,
  ScheduledMessageTriggered,
} from '../src/events/personal.js';
import { personalRecordHandlers } from './personal-records.js';
import {
  on,
  removed,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

/** Data of one person alone: drafts, reminders, scheduled messages, saved snippets, navigation views, onboarding steps, and the storage of bots. */
export const personalProjection: Projection = {
  ...personalModel,
  on: handlers(
    on([DraftSaved, DraftChanged], { apply: draftKept }),
    on(DraftDeleted, { apply: draftDeleted }),
    on(DraftsDiscarded, { apply: draftsDiscarded }),
    on(ReminderRequested, { apply: reminderAwaited }),
    on(ReminderCancelled, { apply: reminderCancelled }),
    on(ReminderTriggered, {
      reads: (event) => [rememberedReference(event)],
      apply: reminderTriggered,
    }),
    on([MessageScheduled, ScheduledMessageChanged], { apply: messageScheduled }),
    on([ScheduledMessageCancelled, ScheduledMessageTriggered], {
      apply: (event) => removed(scheduledReference(event)),
    }),
    on(ScheduledMessageFailed, {
      reads: (event) => [scheduledReference(event)],
      apply: schedulingFailed,
    }),
    personalRecordHandlers,
  ),
};

function draftKept({ data }: Recorded<typeof DraftSaved | typeof DraftChanged>): readonly Change[] {
  const draft: DraftDocument = { _id: personalDocumentId(data.userId, data.draftId), ...data };
  return [{ collection: 'drafts', put: draft }];
}

function draftDeleted({ data: { userId, draftId } }: Recorded<typeof DraftDeleted>): readonly Change[] {
  return [{ collection: 'drafts', remove: personalDocumentId(userId, draftId) }];
}

function draftsDiscarded({
  data: { userId, draftIds },
}: Recorded<typeof DraftsDiscarded>): readonly Change[] {
  return draftIds.map((id) => ({ collection: 'drafts', remove: personalDocumentId(userId, id) }));
}

function reminderAwaited({ data }: Recorded<typeof ReminderRequested>): readonly Change[] {
  const { userId, reminderId, messageId, dueAt, content, references } = data;
  const reminder: ReminderDocument = {
    _id: personalDocumentId(userId, reminderId),
    userId,
    reminderId,
    messageId,
    dueAt,
    content,
    html: renderMarkdown(content, references).html,
  };
  const { _id } = reminder;
  const remembered: RememberedDocument = { _id, userId, reminderId, messageId, triggeredBy: null };
  return [
    { collection: 'reminders', put: reminder },
    { collection: 'remembered', put: remembered },
  ];
}

function reminderCancelled(event: Recorded<typeof ReminderCancelled>): readonly Change[] {
  const { collection, id } = rememberedReference(event);
  return [
    { collection: 'reminders', remove: id },
    { collection, remove: id },
  ];
}

function reminderTriggered(
  event: Recorded<typeof ReminderTriggered>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = rememberedReference(event);
  const remembered = documents.get<RememberedDocument>(collection, id);
  return [
    { collection: 'reminders', remove: id },
    ...(remembered === null ? [] : [{ collection, put: { ...remembered, triggeredBy: event.id } }]),
  ];
}

function rememberedReference({
  data: { userId, reminderId },
}: Recorded<typeof ReminderCancelled | typeof ReminderTriggered>): DocumentReference {
  return { collection: 'remembered', id: personalDocumentId(userId, reminderId) };
}

function messageScheduled({
  data,
  revision,
}: Recorded<typeof MessageScheduled | typeof ScheduledMessageChanged>): readonly Change[] {
  const { references, ...kept } = data;
  const message: ScheduledMessageDocument = {
    _id: personalDocumentId(data.userId, data.scheduledId),
    ...kept,
    revision,
    html: renderMarkdown(data.content, references).html,
    queuedAt: data.dueAt,
    isFailed: false,
  };
  return [{ collection: 'scheduled_messages', put: message }];
}

function schedulingFailed(
  event: Recorded<typeof ScheduledMessageFailed>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = scheduledReference(event);
  const message = documents.get<ScheduledMessageDocument>(collection, id);
  return message === null ? [] : [{ collection, put: { ...message, queuedAt: null, isFailed: true } }];
}

function scheduledReference({
  data,
}: Recorded<
  typeof ScheduledMessageCancelled | typeof ScheduledMessageTriggered | typeof ScheduledMessageFailed
>): DocumentReference {
  return { collection: 'scheduled_messages', id: personalDocumentId(data.userId, data.scheduledId) };
}
