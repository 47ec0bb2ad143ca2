import type { ImageFacts } from '../../markdown/media.js';
import type { ModelDefinition } from '../../stores/read-store/port.js';

/** Uploads. The messages that refer to them are in the model of messages. */
export const uploadsModel: ModelDefinition = {
  name: 'uploads',
  version: 2,
  collections: [
    {
      name: 'uploads',
      indexes: [
        { key: { storageName: 1 } },
        { key: { uploaderId: 1, _id: 1 } },
        { key: { _id: 1, isExamined: 1 }, partialFilterExpression: { isExamined: false } },
      ],
    },
    { name: 'upload_space', indexes: [] },
  ],
};

/** An upload in the read model. */
export type UploadDocument = {
  /** Its id. */
  readonly _id: number;
  readonly uploaderId: number;
  readonly storageName: string;
  readonly contentKey: string;
  /** The uploader's name for it. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the UNIX epoch. */
  readonly createdAt: number;
  /** Properties of an image; null: it is no image, cannot be shown, or was not examined yet. */
  readonly image: ImageFacts | null;
  /** False for an image that was not examined yet. */
  readonly isExamined: boolean;
};

/** The size of all uploads: one document, {@link UPLOAD_SPACE_DOCUMENT_ID}. */
export type UploadSpaceDocument = {
  readonly _id: string;
  readonly bytes: number;
};

export const UPLOAD_SPACE_DOCUMENT_ID = 'all';
