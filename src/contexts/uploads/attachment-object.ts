import type { UploadDocument } from './read-model.js';
import { uploadPathId } from './upload-path.js';

/** An upload as the API has it (specification, "Detached upload"). */
export interface AttachmentObject {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the UNIX epoch. */
  readonly create_time: number;
  /** Ids of the messages that refer to it, whosoever they are. */
  readonly message_ids: readonly number[];
}

/** An upload in the words of the API, with the messages that refer to it. */
export function attachmentObject(
  upload: Pick<UploadDocument, '_id' | 'name' | 'storageName' | 'size' | 'createdAt'>,
  messageIds: readonly number[],
): AttachmentObject {
  const { _id: id, name, size, createdAt } = upload;
  return { id, name, path_id: uploadPathId(upload), size, create_time: createdAt, message_ids: messageIds };
}
