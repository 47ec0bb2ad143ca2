import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import { renderMarkdown, RENDERER_VERSION } from '../src/messages/markdown/render.js';
import type {
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
} from '../src/personal/events.js';
import {
  personalDocumentId,
  type DraftDocument,
  type RememberedDocument,
  type ReminderDocument,
  type ScheduledMessageDocument,
} from '../src/personal/personal-document.js';
import { belongingCollections, belongingHandlers } from './personal-belongings.js';
import type { Change, DocumentReference, LoadedDocuments, Projection } from './engine/projection.js';

type Draft = RecordedEvent<EventOf<typeof DraftSaved> | EventOf<typeof DraftChanged>>;
type Deleted = RecordedEvent<EventOf<typeof DraftDeleted>>;
type Discarded = RecordedEvent<EventOf<typeof DraftsDiscarded>>;
type Requested = RecordedEvent<EventOf<typeof ReminderRequested>>;
type Cancelled = RecordedEvent<EventOf<typeof ReminderCancelled>>;
type Triggered = RecordedEvent<EventOf<typeof ReminderTriggered>>;
type Scheduled = RecordedEvent<EventOf<typeof MessageScheduled> | EventOf<typeof ScheduledMessageChanged>>;
type Unscheduled = RecordedEvent<
  EventOf<typeof ScheduledMessageCancelled> | EventOf<typeof ScheduledMessageTriggered>
>;
type Failed = RecordedEvent<EventOf<typeof ScheduledMessageFailed>>;

/** The version of the documents' shape; the renderer's own version counts with it. */
const shapeVersion = 6;

/** What concerns one person alone: their drafts, reminders and scheduled messages, what they saved, their menu, what they need not be shown again, and what bots noted. */
export const personalProjection: Projection = {
  name: 'personal',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'drafts', indexes: [{ key: { userId: 1, timestamp: 1, draftId: 1 } }] },
    { name: 'reminders', indexes: [{ key: { userId: 1, dueAt: 1, reminderId: 1 } }, { key: { dueAt: 1 } }] },
    { name: 'remembered', indexes: [{ key: { messageId: 1 } }] },
    {
      name: 'scheduled_messages',
      indexes: [{ key: { userId: 1, dueAt: 1, scheduledId: 1 } }, { key: { queuedAt: 1 } }],
    },
    ...belongingCollections,
  ],
  on: {
    DraftSaved: { apply: (event) => draftKept(event as Draft) },
    DraftChanged: { apply: (event) => draftKept(event as Draft) },
    DraftDeleted: { apply: (event) => draftDeleted(event as Deleted) },
    DraftsDiscarded: { apply: (event) => draftsDiscarded(event as Discarded) },
    ReminderRequested: { apply: (event) => reminderAwaited(event as Requested) },
    ReminderCancelled: { apply: (event) => reminderCancelled(event as Cancelled) },
    ReminderTriggered: {
      reads: (event) => [rememberedReference(event as Triggered)],
      apply: (event, documents) => reminderTriggered(event as Triggered, documents),
    },
    MessageScheduled: { apply: (event) => messageScheduled(event as Scheduled) },
    ScheduledMessageChanged: { apply: (event) => messageScheduled(event as Scheduled) },
    ScheduledMessageCancelled: { apply: (event) => removed(scheduledReference(event as Unscheduled)) },
    ScheduledMessageTriggered: { apply: (event) => removed(scheduledReference(event as Unscheduled)) },
    ScheduledMessageFailed: {
      reads: (event) => [scheduledReference(event as Failed)],
      apply: (event, documents) => schedulingFailed(event as Failed, documents),
    },
    ...belongingHandlers,
  },
};

function draftKept({ data }: Draft): readonly Change[] {
  const draft: DraftDocument = { _id: personalDocumentId(data.userId, data.draftId), ...data };
  return [{ collection: 'drafts', put: draft }];
}

function draftDeleted({ data: { userId, draftId } }: Deleted): readonly Change[] {
  return [{ collection: 'drafts', remove: personalDocumentId(userId, draftId) }];
}

function draftsDiscarded({ data: { userId, draftIds } }: Discarded): readonly Change[] {
  return draftIds.map((id) => ({ collection: 'drafts', remove: personalDocumentId(userId, id) }));
}

function reminderAwaited({ data }: Requested): readonly Change[] {
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

function reminderCancelled(event: Cancelled): readonly Change[] {
  const { collection, id } = rememberedReference(event);
  return [
    { collection: 'reminders', remove: id },
    { collection, remove: id },
  ];
}

function reminderTriggered(event: Triggered, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = rememberedReference(event);
  const remembered = documents.get<RememberedDocument>(collection, id);
  return [
    { collection: 'reminders', remove: id },
    ...(remembered === null ? [] : [{ collection, put: { ...remembered, triggeredBy: event.id } }]),
  ];
}

function rememberedReference({ data: { userId, reminderId } }: Cancelled | Triggered): DocumentReference {
  return { collection: 'remembered', id: personalDocumentId(userId, reminderId) };
}

function messageScheduled({ data, revision }: Scheduled): readonly Change[] {
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

function removed({ collection, id }: DocumentReference): readonly Change[] {
  return [{ collection, remove: id }];
}

function schedulingFailed(event: Failed, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = scheduledReference(event);
  const message = documents.get<ScheduledMessageDocument>(collection, id);
  return message === null ? [] : [{ collection, put: { ...message, queuedAt: null, isFailed: true } }];
}

function scheduledReference({ data }: Unscheduled | Failed): DocumentReference {
  return { collection: 'scheduled_messages', id: personalDocumentId(data.userId, data.scheduledId) };
}
