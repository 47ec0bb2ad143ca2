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
