import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Stream `uploads`. An upload's id is the revision of this event plus one. */
export const FileUploaded = defineEvent({
  type: 'FileUploaded',
  description: 'Somebody uploaded a file for use in messages.',
  schema: z.strictObject({
    uploadId: id,
    uploaderId: id,
    /** Name of its content in the file store; also the last segment but one of its URL. */
    storageName: z.string(),
    /** Id of the key that encrypts both name and content. */
    contentKey: z.string(),
    name: z.string(),
    contentType: z.string(),
    /** Bytes. */
    size: z.number().int().nonnegative(),
  }),
  erasable: {
    fields: ['name'],
    owner: (data) => data.uploaderId,
    key: (data) => data.contentKey,
    placeholder: { name: '(erased)' },
  },
  example: {
    uploadId: 5,
    uploaderId: 3,
    storageName: '1/fb/gc5ykICpKFrbhliVAozwSSbr',
    contentKey: '0f8b1c5e-5a53-4c1f-8d0a-6f1f7d1d2c11',
    name: 'note g.txt',
    contentType: 'text/plain',
    size: 1842,
  },
});

/** Stream `uploads`. */
export const UploadDeleted = defineEvent({
  type: 'UploadDeleted',
  description: 'Somebody deleted a file that they had uploaded. Its content is destroyed.',
  schema: z.strictObject({ uploadId: id, uploaderId: id, storageName: z.string() }),
  example: { uploadId: 5, uploaderId: 3, storageName: '1/fb/gc5ykICpKFrbhliVAozwSSbr' },
});

/** Stream `uploads`. */
export const UploadImageExamined = defineEvent({
  type: 'UploadImageExamined',
  description:
    'The server examined an uploaded image and determined whether messages may show it or only link to it.',
  schema: z.strictObject({
    uploadId: id,
    /**
     * Its size as shown, after the rotation in its metadata. Null: it cannot be shown, and messages show a
     * link to the file.
     */
    image: z
      .strictObject({
        contentType: z.string(),
        /** Pixels. */
        width: z.number().int().positive(),
        height: z.number().int().positive(),
        isAnimated: z.boolean(),
        /** Whether browsers cannot show the file itself, so that it is offered in another format. */
        isTranscoded: z.boolean(),
      })
      .nullable(),
  }),
  example: {
    uploadId: 5,
    image: { contentType: 'image/png', width: 640, height: 480, isAnimated: false, isTranscoded: false },
  },
});

export const uploadEvents = [FileUploaded, UploadDeleted, UploadImageExamined] as const;
export type UploadEvent = EventOf<(typeof uploadEvents)[number]>;
