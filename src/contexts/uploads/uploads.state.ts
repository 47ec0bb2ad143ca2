import { stream } from '../../kernel/stream.js';
import type { Fold } from '../../kernel/decider.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { unreachable } from '../../kernel/json.js';
import type { UploadDeleted, UploadEvent } from '../../events/uploads.js';
import { isImageType } from '../../markdown/media.js';

/** The stream that holds what was uploaded. */
export const uploadsStream = 'uploads';

/** The most whole mebibytes of a file (facts, section 4). */
export const maxUploadMebibytes = 100;

/** Whose a file is, where its bytes lie and how many they are. */
export interface KnownUpload {
  readonly uploaderId: number;
  readonly storageName: string;
  /** Bytes. */
  readonly size: number;
  /** Whether nobody need look into it any more: it is no image, or somebody did. */
  readonly isExamined: boolean;
}

/** What somebody's uploads, or everybody's, take. */
export interface UploadSpace {
  readonly files: number;
  readonly bytes: number;
}

/** Which uploads there are. */
export interface Uploads {
  readonly known: PersistentMap<number, KnownUpload>;
  readonly spaceByUploader: PersistentMap<number, UploadSpace>;
  /** Of everybody. */
  readonly space: UploadSpace;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

const noSpace: UploadSpace = { files: 0, bytes: 0 };

/** How the uploads follow from their stream. */
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
export const foldedUploads = stream(uploadsStream, uploadsFold);

/** What the uploads of one person take. */
export function spaceOf({ spaceByUploader }: Uploads, uploaderId: number): UploadSpace {
  return spaceByUploader.get(uploaderId) ?? noSpace;
}

/** The event that deletes an upload. */
export function deletionOf(
  uploadId: number,
  { uploaderId, storageName }: KnownUpload,
): EventOf<typeof UploadDeleted> {
  return { type: 'UploadDeleted', data: { uploadId, uploaderId, storageName } };
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
