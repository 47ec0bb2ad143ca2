import type { StoredFile } from '../../stores/file-store/encrypted-files.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import type { FileUploaded, UploadDeleted, UploadImageExamined } from '../../events/uploads.js';
import { uploadNameOf } from './upload-path.js';
import { assertWithinQuota, type UploadQuota } from './upload-quota.js';
import type { Uploads } from './uploads.state.js';
import type { ImageFacts } from '../../markdown/media.js';

/** A file that is stored completely, but not recorded as an upload yet. */
export interface IncomingUpload {
  /** The uploader's name for it. */
  readonly name: string;
  readonly contentType: string;
  readonly stored: StoredFile;
}

/**
 * Records an upload, whose id follows from the event's revision.
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
  const uploadId = idAtRevision(uploads.nextRevision);
  const file = { storageName, contentKey, name: uploadNameOf(name), contentType, size };
  return [{ type: 'FileUploaded', data: { uploadId, uploaderId: userId, ...file } }];
}

/**
 * @throws ApplicationError `invalidAttachment`, the same for an upload that does not exist and one of
 * somebody else
 */
export function decideDeleteUpload(
  uploads: Uploads,
  { userId, uploadId }: { readonly userId: number; readonly uploadId: number },
): readonly EventOf<typeof UploadDeleted>[] {
  if (uploads.known.get(uploadId)?.uploaderId !== userId) throw failure('invalidAttachment');
  return decideDeleteUploadWithoutCheck(uploads, uploadId);
}

/** Deletes an upload with the only message that referred to it. Returns no events when it is deleted already. */
export function decideDeleteUploadWithoutCheck(
  { known }: Uploads,
  uploadId: number,
): readonly EventOf<typeof UploadDeleted>[] {
  const upload = known.get(uploadId);
  if (upload === undefined) return [];
  const { uploaderId, storageName } = upload;
  return [{ type: 'UploadDeleted', data: { uploadId, uploaderId, storageName } }];
}

/** Records the properties of an image, once; null: it cannot be shown. */
export function decideExamineImage(
  { known }: Uploads,
  { uploadId, image }: { readonly uploadId: number; readonly image: ImageFacts | null },
): readonly EventOf<typeof UploadImageExamined>[] {
  if (known.get(uploadId)?.isExamined !== false) return [];
  return [{ type: 'UploadImageExamined', data: { uploadId, image } }];
}
