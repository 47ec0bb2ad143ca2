import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import { renderMarkdown, RENDERER_VERSION } from '../src/messages/markdown/render.js';
import type {
  DraftChanged,
  DraftDeleted,
  DraftSaved,
  ReminderCancelled,
  ReminderRequested,
  ReminderTriggered,
} from '../src/personal/events.js';
import {
  personalDocumentId,
  type DraftDocument,
  type ReminderDocument,
} from '../src/personal/personal-document.js';
import type { Change, Projection } from './engine/projection.js';

type Draft = RecordedEvent<EventOf<typeof DraftSaved> | EventOf<typeof DraftChanged>>;
type Deleted = RecordedEvent<EventOf<typeof DraftDeleted>>;
type Requested = RecordedEvent<EventOf<typeof ReminderRequested>>;
type Settled = RecordedEvent<EventOf<typeof ReminderCancelled> | EventOf<typeof ReminderTriggered>>;

/** The version of the documents' shape; the renderer's own version counts with it. */
const shapeVersion = 1;

/** What concerns one person alone: their drafts and reminders. */
export const personalProjection: Projection = {
  name: 'personal',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'drafts', indexes: [{ key: { userId: 1, timestamp: 1, draftId: 1 } }] },
    { name: 'reminders', indexes: [{ key: { userId: 1, dueAt: 1, reminderId: 1 } }, { key: { dueAt: 1 } }] },
  ],
  on: {
    DraftSaved: { apply: (event) => draftKept(event as Draft) },
    DraftChanged: { apply: (event) => draftKept(event as Draft) },
    DraftDeleted: { apply: (event) => draftDeleted(event as Deleted) },
    ReminderRequested: { apply: (event) => reminderAwaited(event as Requested) },
    ReminderCancelled: { apply: (event) => reminderSettled(event as Settled) },
    ReminderTriggered: { apply: (event) => reminderSettled(event as Settled) },
  },
};

function draftKept({ data }: Draft): readonly Change[] {
  const draft: DraftDocument = { _id: personalDocumentId(data.userId, data.draftId), ...data };
  return [{ collection: 'drafts', put: draft }];
}

function draftDeleted({ data: { userId, draftId } }: Deleted): readonly Change[] {
  return [{ collection: 'drafts', remove: personalDocumentId(userId, draftId) }];
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
  return [{ collection: 'reminders', put: reminder }];
}

function reminderSettled({ data: { userId, reminderId } }: Settled): readonly Change[] {
  return [{ collection: 'reminders', remove: personalDocumentId(userId, reminderId) }];
}
