import { toSeconds } from '../../kernel/clock.js';
import { attachmentObject } from './attachment-object.js';
import type { ResumableUploadEvent } from '../../events/resumable-uploads.js';
import type { UploadEvent } from '../../events/uploads.js';
import { mapper, noClientEvent, type AddressedEvent, type Mappers } from '../../realtime/mapper.js';
import type { ReferredUploads, UploadModels } from './client-models.js';

/** Client events about uploaded files, for their uploaders. */
export const uploadMappers: Mappers<
  Exclude<UploadEvent, { readonly type: 'UploadImageExamined' }>,
  UploadModels
> = {
  FileUploaded: mapper({
    read: (_event, models) => models.uploadSpaceUsed(),
    clientEvents: ({ data, metadata }, { read: upload_space_used }) => {
      const { uploadId, name, storageName, size } = data;
      const upload = { _id: uploadId, name, storageName, size, createdAt: toSeconds(metadata.at) };
      const attachment = attachmentObject(upload, []);
      const event = { type: 'attachment', op: 'add', attachment, upload_space_used };
      return [{ to: [data.uploaderId], event }];
    },
  }),
  UploadDeleted: mapper({
    read: (_event, models) => models.uploadSpaceUsed(),
    clientEvents: ({ data: { uploadId, uploaderId } }, { read: upload_space_used }) => [
      {
        to: [uploaderId],
        event: { type: 'attachment', op: 'remove', attachment: { id: uploadId }, upload_space_used },
      },
    ],
  }),
};

/** Client events for uploaders about a change of the messages that refer to their files. */
export function referenceEvents({ uploads, spaceUsed }: ReferredUploads): readonly AddressedEvent[] {
  return uploads.map(({ upload, messageIds }) => ({
    to: [upload.uploaderId],
    event: {
      type: 'attachment',
      op: 'update',
      attachment: attachmentObject(upload, messageIds),
      upload_space_used: spaceUsed,
    },
  }));
}

/** A resumable upload has client events only once it is complete. */
export const resumableUploadMappers: Mappers<ResumableUploadEvent> = {
  ResumableUploadStarted: noClientEvent,
  ResumableUploadExtended: noClientEvent,
  ResumableUploadFinished: noClientEvent,
  ResumableUploadAbandoned: noClientEvent,
};
