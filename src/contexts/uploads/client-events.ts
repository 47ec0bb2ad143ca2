import type { ResumableUploadEvent } from '../../events/resumable-uploads.js';
import type { UploadEvent } from '../../events/uploads.js';
import { toSeconds } from '../../kernel/clock.js';
import { mapper, NO_CLIENT_EVENT, type AddressedEvent, type Mappers } from '../../realtime/mapper.js';
import { attachmentObject } from './uploads.replies.js';
import type { UploadDocument } from './read-model.js';

/** Uploads whose uploaders have a client in this process, with the messages that refer to them. */
export interface ReferredUploads {
  readonly uploads: readonly {
    readonly upload: UploadDocument;
    readonly messageIds: readonly number[];
  }[];
  /** Size of all uploads in bytes. */
  readonly spaceUsed: number;
}

/** The read models behind client events about uploads. */
export interface UploadModels {
  /** Those of the uploads whose uploaders have a client here. */
  referredUploads(ids: readonly number[]): Promise<ReferredUploads>;

  /** Ids of the uploads that a text names, without a check whether its writer could see them. */
  uploadsNamedIn(text: string): Promise<readonly number[]>;

  /** Size of all uploads in bytes. */
  uploadSpaceUsed(): Promise<number>;
}

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
  ResumableUploadStarted: NO_CLIENT_EVENT,
  ResumableUploadExtended: NO_CLIENT_EVENT,
  ResumableUploadFinished: NO_CLIENT_EVENT,
  ResumableUploadAbandoned: NO_CLIENT_EVENT,
};
