import type { Fold } from '../kernel/decider.js';
import type { RecordedEvent } from '../kernel/event.js';
import { PersistentMap } from '../kernel/persistent-map.js';
import { unreachable } from '../kernel/json.js';
import type { UploadEvent } from './events.js';

/** The stream that holds what was uploaded. */
export const uploadsStream = 'uploads';

/** The most whole mebibytes of a file (facts, section 4). */
export const mostUploadMebibytes = 100;

/** Whose a file is and where its bytes lie. */
export interface KnownUpload {
  readonly uploaderId: number;
  readonly storageName: string;
}

/** Which uploads there are. */
export interface Uploads {
  readonly known: PersistentMap<number, KnownUpload>;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** How the uploads follow from their stream. */
export const uploadsFold: Fold<Uploads, RecordedEvent<UploadEvent>> = {
  snapshot: { name: 'uploads', version: 1 },
  initial: { known: PersistentMap.empty(), nextRevision: 0 },
  evolve({ known }, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'FileUploaded': {
        const { uploadId, uploaderId, storageName } = event.data;
        return { known: known.set(uploadId, { uploaderId, storageName }), nextRevision };
      }
      case 'UploadDeleted':
        return { known: known.delete(event.data.uploadId), nextRevision };
      default:
        return unreachable(event);
    }
  },
};
