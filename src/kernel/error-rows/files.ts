import { badRequest, badRequestAbout, row } from './error-row.js';

export const fileErrors = {
  fileRequired: badRequest('You must specify a file to upload'),
  oneFileAtATime: badRequest('You may only upload one file at a time'),
  fileTooLarge: badRequestAbout(
    (reason) => `Uploaded file is larger than the allowed limit of ${reason} MiB`,
  ),
  tooManyUploads: badRequest('You have uploaded too many files. Delete some first.'),
  personUploadQuota: badRequest('Upload would exceed your upload quota.'),
  uploadQuota: row('REALM_UPLOAD_QUOTA', 400, "Upload would exceed your organization's upload quota."),
  /** The same for a file that does not exist and for one that the caller may not see. */
  noSuchFile: row('BAD_REQUEST', 404, 'File not found.'),
  badImage: row('BAD_IMAGE', 400, 'Could not decode image; did you upload an image file?'),
  imageTooLarge: row('BAD_IMAGE', 400, 'Image size exceeds limit.'),
  invalidAttachment: badRequest('Invalid attachment'),
} as const;

/** The field that clients of the protocol for resumable uploads read. */
type Message = { readonly message: string };

/** Errors of resumable uploads. The statuses are those of the protocol. */
export const resumableUploadErrors = {
  resumableVersion: row('BAD_REQUEST', 412, 'Tus-Resumable must be 1.0.0'),
  resumableLengthMissing: row('BAD_REQUEST', 411, 'Upload-Length must be the size of the file, in bytes'),
  invalidResumableMetadata: row('BAD_REQUEST', 400, 'Invalid Upload-Metadata'),
  /** Not 400, because clients send a request again after that status. */
  resumableRefused: row<Message>('BAD_REQUEST', 413, ({ message }) => message),
  noSuchResumable: row('BAD_REQUEST', 404, 'There is no such upload, or it is not waited for any more'),
  resumableOffset: row('BAD_REQUEST', 409, 'Upload-Offset is not where the upload goes on'),
  resumableContentType: row('BAD_REQUEST', 415, 'The type of a part must be application/offset+octet-stream'),
} as const;
