import type { StoredFile } from '../../stores/file-store/sealed-files.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { FileUploaded, UploadDeleted, UploadImageExamined } from '../../events/uploads.js';
import type { UploadQuota } from './upload-quota.js';
import { assertWithinQuota } from './upload-quota.js';
import { type Uploads, deletionOf } from './uploads.state.js';
import type { ImageFacts } from '../../markdown/media.js';

/** A file that came whole and is stored, but belongs to nobody yet. */
export interface IncomingUpload {
  /** As its uploader calls it. */
  readonly name: string;
  readonly contentType: string;
  readonly stored: StoredFile;
}

/**
 * Records who uploaded what; its id follows from where the event will stand.
 *
 * @throws ApplicationError those of {@link assertWithinQuota}
 */
export function decideUploadFile(
  uploads: Uploads,
  { name, contentType, stored }: IncomingUpload,
  { userId, quota }: { readonly userId: number; readonly quota: UploadQuota },
): readonly EventOf<typeof FileUploaded>[] {
  const { name: storageName, contentKey, size } = stored;
  assertWithinQuota(uploads, { uploaderId: userId, size }, quota);
  const uploadId = uploads.nextRevision + 1;
  const data = { uploadId, uploaderId: userId, storageName, contentKey, name, contentType, size };
  return [{ type: 'FileUploaded', data }];
}

/** @throws ApplicationError `invalidAttachment`, alike for another's and for none */
export function decideDeleteUpload(
  { known }: Uploads,
  { userId, uploadId }: { readonly userId: number; readonly uploadId: number },
): readonly EventOf<typeof UploadDeleted>[] {
  const upload = known.get(uploadId);
  if (upload?.uploaderId !== userId) throw failure('invalidAttachment');
  return [deletionOf(uploadId, upload)];
}

/** Records what an image turned out to be, once; null: it cannot be shown. */
export function decideExamineImage(
  { known }: Uploads,
  { uploadId, image }: { readonly uploadId: number; readonly image: ImageFacts | null },
): readonly EventOf<typeof UploadImageExamined>[] {
  if (known.get(uploadId)?.isExamined !== false) return [];
  return [{ type: 'UploadImageExamined', data: { uploadId, image } }];
}
