import { stream } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { unreachable } from '../../kernel/json.js';
import type { UploadEvent } from '../../events/uploads.js';
import { isImageType } from '../../markdown/media.js';

/** The stream of uploads. */
export const UPLOADS_STREAM = 'uploads';

/** Maximum size of a file in whole mebibytes. */
export const MAX_UPLOAD_MEBIBYTES = 100;

/** The uploader, stored name and size of a file. */
interface KnownUpload {
  readonly uploaderId: number;
  readonly storageName: string;
  /** Bytes. */
  readonly size: number;
  /** Whether it needs no examination: it is no image, or was examined. */
  readonly isExamined: boolean;
}

/** Number and size of the uploads of one person, or of everybody. */
interface UploadSpace {
  readonly files: number;
  readonly bytes: number;
}

/** All uploads. */
export interface Uploads {
  readonly known: PersistentMap<number, KnownUpload>;
  readonly spaceByUploader: PersistentMap<number, UploadSpace>;
  /** Of everybody. */
  readonly space: UploadSpace;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

const noSpace: UploadSpace = { files: 0, bytes: 0 };

/** Folds the stream of uploads. */
export const uploadsFold: Fold<Uploads, RecordedEvent<UploadEvent>> = {
  snapshot: { name: 'uploads', version: 3 },
  initial: {
    known: PersistentMap.empty(),
    spaceByUploader: PersistentMap.empty(),
    space: noSpace,
    nextRevision: 0,
  },
  evolve(uploads, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'FileUploaded': {
        const { uploadId, uploaderId, storageName, size, contentType } = event.data;
        const isExamined = !isImageType(contentType);
        const known = uploads.known.set(uploadId, { uploaderId, storageName, size, isExamined });
        return { ...counted(uploads, { uploaderId, files: 1, bytes: size }), known, nextRevision };
      }
      case 'UploadDeleted': {
        const upload = uploads.known.get(event.data.uploadId);
        if (upload === undefined) return { ...uploads, nextRevision };
        const { uploaderId, size } = upload;
        const known = uploads.known.delete(event.data.uploadId);
        return { ...counted(uploads, { uploaderId, files: -1, bytes: -size }), known, nextRevision };
      }
      case 'UploadImageExamined': {
        const upload = uploads.known.get(event.data.uploadId);
        if (upload === undefined) return { ...uploads, nextRevision };
        const known = uploads.known.set(event.data.uploadId, { ...upload, isExamined: true });
        return { ...uploads, known, nextRevision };
      }
      default:
        return unreachable(event);
    }
  },
};

/** The stream of the uploads, for decisions about them. */
export const foldedUploads = stream(UPLOADS_STREAM, uploadsFold);

/** Number and size of one person's uploads. */
export function spaceOf({ spaceByUploader }: Uploads, uploaderId: number): UploadSpace {
  return spaceByUploader.get(uploaderId) ?? noSpace;
}

function counted(uploads: Uploads, change: UploadSpace & { readonly uploaderId: number }): Uploads {
  const ofUploader = sum(spaceOf(uploads, change.uploaderId), change);
  return {
    ...uploads,
    spaceByUploader: uploads.spaceByUploader.set(change.uploaderId, ofUploader),
    space: sum(uploads.space, change),
  };
}

function sum(space: UploadSpace, change: UploadSpace): UploadSpace {
  return { files: space.files + change.files, bytes: space.bytes + change.bytes };
}
