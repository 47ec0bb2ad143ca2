import { row } from './error-row.js';

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
