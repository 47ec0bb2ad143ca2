import { toSeconds } from '../../kernel/clock.js';
import { attachmentObject } from '../../uploads/attachment-object.js';
import type { UploadEvent } from '../../uploads/events.js';
import { translation, type Translations } from '../translation.js';

/** Uploaded files, for whoever uploaded them. */
export const uploadTranslations: Translations<UploadEvent> = {
  FileUploaded: translation({
    read: (_event, models) => models.uploadSpaceUsed(),
    notices: ({ data, metadata }, { read: upload_space_used }) => {
      const upload = { ...data, _id: data.uploadId, createdAt: toSeconds(metadata.at) };
      const { message_ids: messages, ...attachment } = attachmentObject(upload, []);
      const event = {
        type: 'attachment',
        op: 'add',
        attachment: { ...attachment, messages },
        upload_space_used,
      };
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
