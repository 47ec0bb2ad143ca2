import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { DraftChanged, DraftDeleted, DraftSaved } from '../src/personal/events.js';
import { personalDocumentId, type DraftDocument } from '../src/personal/personal-document.js';
import type { Change, Projection } from './engine/projection.js';

type Draft = RecordedEvent<EventOf<typeof DraftSaved> | EventOf<typeof DraftChanged>>;
type Deleted = RecordedEvent<EventOf<typeof DraftDeleted>>;

/** What concerns one person alone: their drafts. */
export const personalProjection: Projection = {
  name: 'personal',
  version: 1,
  collections: [{ name: 'drafts', indexes: [{ key: { userId: 1, timestamp: 1, draftId: 1 } }] }],
  on: {
    DraftSaved: { apply: (event) => draftKept(event as Draft) },
    DraftChanged: { apply: (event) => draftKept(event as Draft) },
    DraftDeleted: { apply: (event) => draftDeleted(event as Deleted) },
  },
};

function draftKept({ data }: Draft): readonly Change[] {
  const draft: DraftDocument = { _id: personalDocumentId(data.userId, data.draftId), ...data };
  return [{ collection: 'drafts', put: draft }];
}

function draftDeleted({ data: { userId, draftId } }: Deleted): readonly Change[] {
  return [{ collection: 'drafts', remove: personalDocumentId(userId, draftId) }];
}
