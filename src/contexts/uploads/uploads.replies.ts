import { z } from 'zod';
import { type Described, id, ids, named, seconds } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import type { UploadDocument } from './read-model.js';
import { shortName, uploadPathId } from './upload-path.js';

/** An upload in the API. */
export const attachmentSchema = named(
  'Attachment',
  z.strictObject({
    id,
    name: z.string(),
    path_id: z.string().describe('The part of the path of the file after `/user_uploads/`'),
    size: z.int().describe('Bytes'),
    create_time: seconds,
    message_ids: ids.describe('Ids of all messages that refer to the file, by any sender'),
  }),
);

/** Type of {@link attachmentSchema}. */
export type AttachmentObject = Described<typeof attachmentSchema>;

const spaceUsed = {
  upload_space_used: z.int().describe('The size of all files of the organization, in bytes'),
};

/** Answered by `GET attachments`. */
export const attachmentsReply = { attachments: z.array(attachmentSchema), ...spaceUsed };

/** Answered by `POST user_uploads`. */
export const uploadReply = {
  url: z.string(),
  uri: z.string().describe('The same as `url`, for older clients'),
  filename: z.string(),
};

/**
 * The body of the reply to `PATCH tus/{resumable}` for the last part, and to `POST tus` for an empty file.
 */
export const resumableReply = z.strictObject({ url: z.string(), filename: z.string() });

/** Answered by `GET user_uploads/{organization}/{shard}/{random}/{filename}`. */
export const temporaryLinkReply = {
  url: z.string().describe('An address that is valid for one minute and needs no credentials'),
};

/** Answered by `GET thumbnail/status/{organization}/{shard}/{random}/{filename}`. */
export const thumbnailStatusReply = { has_thumbnail: z.boolean() };

/** Schemas of the client events about uploads, for their uploaders. */
export const uploadEventSchemas = [
  clientEvent('attachment', 'add', { attachment: attachmentSchema, ...spaceUsed }),
  clientEvent('attachment', 'update', { attachment: attachmentSchema, ...spaceUsed }),
  clientEvent('attachment', 'remove', { attachment: z.strictObject({ id }), ...spaceUsed }),
];

/** Formats an upload for the API, with the messages that refer to it. */
export function attachmentObject(
  upload: Pick<UploadDocument, '_id' | 'name' | 'storageName' | 'size' | 'createdAt'>,
  messageIds: readonly number[],
): AttachmentObject {
  const { _id: id, size, createdAt } = upload;
  return {
    id,
    // Uploads before names had a limit may have a longer one.
    name: shortName(upload.name),
    path_id: uploadPathId(upload),
    size,
    create_time: createdAt,
    message_ids: messageIds,
  };
}
