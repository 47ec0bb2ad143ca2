import type { ImageFacts } from '../../markdown/media.js';
import type { ModelDefinition } from '../../stores/read-store/port.js';

/** What people uploaded. Which messages refer to it, the model of messages knows. */
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

/** An upload as the read model keeps it. */
export type UploadDocument = {
  /** Its id. */
  readonly _id: number;
  readonly uploaderId: number;
  readonly storageName: string;
  readonly contentKey: string;
  /** As its uploader called it. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the UNIX epoch. */
  readonly createdAt: number;
  /** What it is as an image; null: it is none, cannot be shown, or nobody has looked yet. */
  readonly image: ImageFacts | null;
  /** False for an image that somebody is still to look into. */
  readonly isExamined: boolean;
};

/** How much room all uploads take: one document, {@link uploadSpaceDocumentId}. */
export type UploadSpaceDocument = {
  readonly _id: string;
  readonly bytes: number;
};

/** What everybody's files take is one document. */
export const uploadSpaceDocumentId = 'all';
