import type { UploadDocument } from './read-model.js';
import { uploadPathId } from './upload-path.js';
import type { AttachmentObject } from './uploads.replies.js';

/** Formats an upload for the API, with the messages that refer to it. */
export function attachmentObject(
  upload: Pick<UploadDocument, '_id' | 'name' | 'storageName' | 'size' | 'createdAt'>,
  messageIds: readonly number[],
): AttachmentObject {
  const { _id: id, name, size, createdAt } = upload;
  return { id, name, path_id: uploadPathId(upload), size, create_time: createdAt, message_ids: messageIds };
}
