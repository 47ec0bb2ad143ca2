import {
  uploadsModel,
  UPLOAD_SPACE_DOCUMENT_ID,
  type UploadDocument,
  type UploadSpaceDocument,
} from '../src/contexts/uploads/read-model.js';
import { toSeconds } from '../src/kernel/clock.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { isImageType } from '../src/markdown/media.js';
import { FileUploaded, UploadDeleted, UploadImageExamined } from '../src/events/uploads.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

const space: DocumentReference = { collection: 'upload_space', id: UPLOAD_SPACE_DOCUMENT_ID };

/** Uploaded files. The model of messages knows which messages refer to them. */
export const uploadsProjection: Projection = {
  ...uploadsModel,
  on: handlers(
    on(FileUploaded, {
      reads: () => [space],
      apply: uploaded,
    }),
    on(UploadDeleted, {
      reads: (event) => [uploadOf(event), space],
      apply: deleted,
    }),
    on(UploadImageExamined, {
      reads: (event) => [uploadOf(event)],
      apply: examined,
    }),
  ),
};

function uploaded(
  { data, metadata }: Recorded<typeof FileUploaded>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { uploadId, ...file } = data;
  const upload: UploadDocument = {
    _id: uploadId,
    ...file,
    createdAt: toSeconds(metadata.at),
    image: null,
    isExamined: !isImageType(data.contentType),
  };
  return [{ collection: 'uploads', put: upload }, spaceChangedBy(data.size, documents)];
}

function deleted(event: Recorded<typeof UploadDeleted>, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = uploadOf(event);
  const upload = documents.get<UploadDocument>(collection, id);
  if (upload === null) return [];
  return [{ collection, remove: id }, spaceChangedBy(-upload.size, documents)];
}

function examined(
  event: Recorded<typeof UploadImageExamined>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = uploadOf(event);
  const upload = documents.get<UploadDocument>(collection, id);
  if (upload === null) return [];
  return [{ collection, put: { ...upload, image: event.data.image, isExamined: true } }];
}

function uploadOf({
  data: { uploadId },
}: Recorded<typeof UploadDeleted | typeof UploadImageExamined>): DocumentReference {
  return { collection: 'uploads', id: uploadId };
}

function spaceChangedBy(bytes: number, documents: LoadedDocuments): Change {
  const { collection, id } = space;
  const used = documents.get<UploadSpaceDocument>(collection, id)?.bytes ?? 0;
  return { collection, put: { _id: id, bytes: used + bytes } };
}
