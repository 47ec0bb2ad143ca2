import { row } from './error-row.js';

/** What clients of the protocol for resumable uploads read beside the status. */
type Message = { readonly message: string };

/** Errors of uploads that come in parts: the statuses are those of the protocol. */
export const resumableUploadErrors = {
  resumableVersion: row('BAD_REQUEST', 412, 'Tus-Resumable must be 1.0.0'),
  resumableLengthMissing: row('BAD_REQUEST', 411, 'Upload-Length must be the size of the file, in bytes'),
  invalidResumableMetadata: row('BAD_REQUEST', 400, 'Invalid Upload-Metadata'),
  /** Clients send again what was refused with 400. */
  resumableRefused: row<Message>('BAD_REQUEST', 413, ({ message }) => message),
  noSuchResumable: row('BAD_REQUEST', 404, 'There is no such upload, or it is not waited for any more'),
  resumableOffset: row('BAD_REQUEST', 409, 'Upload-Offset is not where the upload goes on'),
  resumableContentType: row('BAD_REQUEST', 415, 'The type of a part must be application/offset+octet-stream'),
} as const;
