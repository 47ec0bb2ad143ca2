import { RESUMABLE_UPLOADS_STREAM, type ResumableUploadEvent } from '../../../events/resumable-uploads.js';
import type { Fold } from '../../../kernel/fold.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { unreachable } from '../../../kernel/json.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import { stream } from '../../../kernel/decision.js';
import type { StoredFile } from '../../../stores/file-store/encrypted-files.js';

/** A file that is not received completely yet. */
export interface ResumableUpload {
  readonly id: string;
  readonly uploaderId: number;
  readonly name: string;
  readonly contentType: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes that were received. */
  readonly offset: number;
  /** The received parts, in order. */
  readonly parts: readonly StoredFile[];
  /** When the last part was received: milliseconds since the UNIX epoch. */
  readonly lastAt: number;
}

/** The incomplete uploads, by their ids. */
export type ResumableUploads = PersistentMap<string, ResumableUpload>;

/** Folds the stream of resumable uploads. */
export const resumableUploadsFold: Fold<ResumableUploads, RecordedEvent<ResumableUploadEvent>> = {
  initial: PersistentMap.empty(),
  evolve(uploads, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'ResumableUploadStarted': {
        const { resumableId: id, ...facts } = event.data;
        return uploads.set(id, { id, ...facts, offset: 0, parts: [], lastAt: at });
      }
      case 'ResumableUploadExtended': {
        const { resumableId, part } = event.data;
        const upload = uploads.get(resumableId);
        if (upload === undefined) return uploads;
        const { storageName: name, contentKey, size } = part;
        const parts = [...upload.parts, { name, contentKey, size }];
        return uploads.set(resumableId, { ...upload, offset: upload.offset + size, parts, lastAt: at });
      }
      case 'ResumableUploadFinished':
      case 'ResumableUploadAbandoned':
        return uploads.delete(event.data.resumableId);
      default:
        return unreachable(event);
    }
  },
};

/** Their stream, for decisions about them. */
export const foldedResumableUploads = stream(RESUMABLE_UPLOADS_STREAM, resumableUploadsFold);

/** The incomplete uploads of a person. */
export function resumableUploadsOf(
  uploads: ResumableUploads,
  uploaderId: number,
): readonly ResumableUpload[] {
  return [...uploads.values()].filter((upload) => upload.uploaderId === uploaderId);
}
