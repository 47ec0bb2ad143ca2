import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { spaceOf, type Uploads } from './uploads.state.js';

const MEBIBYTE = 1_048_576;

/** The configured limits for uploads. */
export class UploadQuota {
  constructor(
    /** `UPLOAD_QUOTA_MIB`: for everybody together. */
    readonly mebibytes: number,
    /** `UPLOAD_QUOTA_PER_PERSON_MIB`. */
    readonly mebibytesOfPerson: number,
  ) {}
}

/**
 * Refuses a file that would exceed the limit of its uploader, or of everybody together.
 *
 * @throws ApplicationError `tooManyUploads`, `personUploadQuota`, `uploadQuota`
 */
export function assertWithinQuota(
  uploads: Uploads,
  { uploaderId, size }: { readonly uploaderId: number; readonly size: number },
  quota: UploadQuota,
): void {
  const own = spaceOf(uploads, uploaderId);
  if (own.files >= budgets.uploadsOfPerson.max) throw failure('tooManyUploads');
  if (own.bytes + size > quota.mebibytesOfPerson * MEBIBYTE) throw failure('personUploadQuota');
  if (uploads.space.bytes + size > quota.mebibytes * MEBIBYTE) throw failure('uploadQuota');
}
