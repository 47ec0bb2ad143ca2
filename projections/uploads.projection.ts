import { toSeconds } from '../src/kernel/clock.js';
import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { FileUploaded, UploadDeleted } from '../src/uploads/events.js';
import {
  uploadSpaceDocumentId,
  type UploadDocument,
  type UploadSpaceDocument,
} from '../src/uploads/upload-document.js';
import type { Change, DocumentReference, LoadedDocuments, Projection } from './engine/projection.js';

type Uploaded = RecordedEvent<EventOf<typeof FileUploaded>>;
type Deleted = RecordedEvent<EventOf<typeof UploadDeleted>>;

const space: DocumentReference = { collection: 'upload_space', id: uploadSpaceDocumentId };

/** What people uploaded. Which messages refer to it, the model of messages knows. */
export const uploadsProjection: Projection = {
  name: 'uploads',
  version: 1,
  collections: [
    { name: 'uploads', indexes: [{ key: { storageName: 1 } }, { key: { uploaderId: 1, _id: 1 } }] },
    { name: 'upload_space', indexes: [] },
  ],
  on: {
    FileUploaded: {
      reads: () => [space],
      apply: (event, documents) => uploaded(event as Uploaded, documents),
    },
    UploadDeleted: {
      reads: (event) => [uploadOf(event as Deleted), space],
      apply: (event, documents) => deleted(event as Deleted, documents),
    },
  },
};

function uploaded({ data, metadata }: Uploaded, documents: LoadedDocuments): readonly Change[] {
  const { uploadId, ...file } = data;
  const upload: UploadDocument = { _id: uploadId, ...file, createdAt: toSeconds(metadata.at) };
  return [{ collection: 'uploads', put: upload }, spaceChangedBy(data.size, documents)];
}

function deleted(event: Deleted, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = uploadOf(event);
  const upload = documents.get<UploadDocument>(collection, id);
  if (upload === null) return [];
  return [{ collection, remove: id }, spaceChangedBy(-upload.size, documents)];
}

function uploadOf({ data: { uploadId } }: Deleted): DocumentReference {
  return { collection: 'uploads', id: uploadId };
}

function spaceChangedBy(bytes: number, documents: LoadedDocuments): Change {
  const { collection, id } = space;
  const used = documents.get<UploadSpaceDocument>(collection, id)?.bytes ?? 0;
  return { collection, put: { _id: id, bytes: used + bytes } };
}
