import type { ResumableUploadEvent } from '../../../events/resumable-uploads.js';
import { budgets } from '../../../kernel/budgets.js';
import { ApplicationError, failure } from '../../../kernel/errors.js';
import type { StoredFile } from '../../../stores/file-store/encrypted-files.js';
import { assertWithinQuota, type UploadQuota } from '../upload-quota.js';
import { MAX_UPLOAD_MEBIBYTES, type Uploads } from '../uploads.state.js';
import {
  resumableUploadsOf,
  type ResumableUpload,
  type ResumableUploads,
} from './resumable-uploads.state.js';

const MEBIBYTE = 1_048_576;

/** A file that somebody wants to upload in parts. */
export interface NewResumableUpload {
  /** 20 random bytes, hexadecimal. */
  readonly id: string;
  readonly uploaderId: number;
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Starts an upload. Incomplete uploads count towards the limits.
 *
 * @throws ApplicationError `resumableRefused`, for the reasons for which `POST /user_uploads` refuses
 */
export function decideStartResumable(
  resumable: ResumableUploads,
  { id: resumableId, uploaderId, name, contentType, size }: NewResumableUpload,
  { uploads, quota }: { readonly uploads: Uploads; readonly quota: UploadQuota },
): readonly ResumableUploadEvent[] {
  const own = resumableUploadsOf(resumable, uploaderId);
  const awaited = own.reduce((sum, upload) => sum + upload.size, size);
  asProtocolErrors(() => {
    if (size > MAX_UPLOAD_MEBIBYTES * MEBIBYTE)
      throw failure('fileTooLarge', { reason: MAX_UPLOAD_MEBIBYTES });
    if (own.length >= budgets.resumableUploads.max) throw failure('tooManyUploads');
    assertWithinQuota(uploads, { uploaderId, size: awaited }, quota);
  });
  return [{ type: 'ResumableUploadStarted', data: { resumableId, uploaderId, name, contentType, size } }];
}

/** @throws ApplicationError `noSuchResumable`, also for somebody else's */
export function ownResumable(
  resumable: ResumableUploads,
  resumableId: string,
  uploaderId: number,
): ResumableUpload {
  const upload = resumable.get(resumableId);
  if (upload?.uploaderId !== uploaderId) throw failure('noSuchResumable');
  return upload;
}

/** @throws ApplicationError `resumableOffset`, `resumableRefused` when there are too many parts */
export function assertGoesOn({ offset, parts }: ResumableUpload, from: number): void {
  if (offset !== from) throw failure('resumableOffset');
  if (parts.length < budgets.resumableUploadParts.max) return;
  throw failure('resumableRefused', { message: 'The file comes in too many parts' });
}

/**
 * Records the next part of a file.
 *
 * @throws ApplicationError `noSuchResumable`, those of {@link assertGoesOn}, `resumableRefused` when it is
 * longer than the file
 */
export function decideExtendResumable(
  resumable: ResumableUploads,
  {
    resumableId,
    uploaderId,
    from,
  }: { readonly resumableId: string; readonly uploaderId: number; readonly from: number },
  { name: storageName, contentKey, size }: StoredFile,
): readonly ResumableUploadEvent[] {
  const upload = ownResumable(resumable, resumableId, uploaderId);
  assertGoesOn(upload, from);
  if (from + size > upload.size)
    throw failure('resumableRefused', { message: 'The part is longer than what is left of the file' });
  const part = { storageName, contentKey, size };
  return [{ type: 'ResumableUploadExtended', data: { resumableId, part } }];
}

/** Ends an upload that is complete; no events if it has ended already. */
export function decideFinishResumable(
  resumable: ResumableUploads,
  { resumableId, uploadId }: { readonly resumableId: string; readonly uploadId: number },
): readonly ResumableUploadEvent[] {
  const upload = resumable.get(resumableId);
  if (upload === undefined) return [];
  return [
    { type: 'ResumableUploadFinished', data: { resumableId, uploadId, partNames: partNamesOf(upload) } },
  ];
}

/** Ends an incomplete upload; no events if it has ended already. */
export function decideAbandonResumable(
  resumable: ResumableUploads,
  resumableId: string,
  isExpired: boolean,
): readonly ResumableUploadEvent[] {
  const upload = resumable.get(resumableId);
  if (upload === undefined) return [];
  return [
    { type: 'ResumableUploadAbandoned', data: { resumableId, isExpired, partNames: partNamesOf(upload) } },
  ];
}

/**
 * The uploads that received nothing for too long.
 *
 * @param now milliseconds since the UNIX epoch
 */
export function expiredResumables(resumable: ResumableUploads, now: number): readonly ResumableUpload[] {
  const kept = budgets.resumableUploadHours.max * 3_600_000;
  return [...resumable.values()].filter(({ lastAt }) => now >= lastAt + kept);
}

/** Converts refusals to errors that clients of the protocol understand. */
function asProtocolErrors<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** A refusal of an upload as an error of the protocol; any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  const isRefusal = error instanceof ApplicationError && error.status === 400;
  return isRefusal ? failure('resumableRefused', { message: error.message }) : error;
}

function partNamesOf({ parts }: ResumableUpload): string[] {
  return parts.map(({ name }) => name);
}
