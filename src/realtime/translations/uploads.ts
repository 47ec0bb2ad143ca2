import { toSeconds } from '../../kernel/clock.js';
import { attachmentObject } from '../../uploads/attachment-object.js';
import type { UploadEvent } from '../../uploads/events.js';
import type { ReferredUploads } from '../client-models.js';
import { translation, type Notice, type Translations } from '../translation.js';

/** Uploaded files, for whoever uploaded them. */
export const uploadTranslations: Translations<UploadEvent> = {
  FileUploaded: translation({
    read: (_event, models) => models.uploadSpaceUsed(),
    notices: ({ data, metadata }, { read: upload_space_used }) => {
      const upload = { ...data, _id: data.uploadId, createdAt: toSeconds(metadata.at) };
      const attachment = attachmentObject(upload, []);
      const event = { type: 'attachment', op: 'add', attachment, upload_space_used };
      return [{ to: [data.uploaderId], event }];
    },
  }),
  UploadDeleted: translation({
    read: (_event, models) => models.uploadSpaceUsed(),
    notices: ({ data: { uploadId, uploaderId } }, { read: upload_space_used }) => [
      {
        to: [uploaderId],
        event: { type: 'attachment', op: 'remove', attachment: { id: uploadId }, upload_space_used },
      },
    ],
  }),
};

/** Tells those who uploaded them that other messages refer to files than did before. */
export function referenceNotices({ uploads, spaceUsed }: ReferredUploads): readonly Notice[] {
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
