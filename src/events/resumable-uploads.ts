import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** The stream of resumable uploads. */
export const RESUMABLE_UPLOADS_STREAM = 'resumable-uploads';

const id = z.number().int().positive();

/** 40 hexadecimal digits, which cannot be guessed. */
const resumableId = z.string().regex(/^[0-9a-f]{40}$/);
const EXAMPLE_ID = '9f86d081884c7d659a2feaa0c55ad0159f86d081';
const EXAMPLE_PART = '1/incoming/gc5ykICpKFrbhliVAozwSSbr';

/** Stream `resumable-uploads`. */
export const ResumableUploadStarted = defineEvent({
  type: 'ResumableUploadStarted',
  description: 'Somebody started to upload a file in parts.',
  schema: z.strictObject({
    resumableId,
    uploaderId: id,
    name: z.string(),
    contentType: z.string(),
    /** Bytes of the whole file. */
    size: z.number().int().nonnegative(),
  }),
  erasable: { fields: ['name'], owner: (data) => data.uploaderId, placeholder: { name: '(erased)' } },
  example: {
    resumableId: EXAMPLE_ID,
    uploaderId: 3,
    name: 'note g.txt',
    contentType: 'text/plain',
    size: 1_842,
  },
});

/** Stream `resumable-uploads`. */
export const ResumableUploadExtended = defineEvent({
  type: 'ResumableUploadExtended',
  description: 'The next part of a file arrived.',
  schema: z.strictObject({
    resumableId,
    /** Nested, so that an export of the log does not include it as a file of its own. */
    part: z.strictObject({
      /** Name in the file store. */
      storageName: z.string(),
      /** Id of its key. */
      contentKey: z.string(),
      /** Bytes. */
      size: id,
    }),
  }),
  example: {
    resumableId: EXAMPLE_ID,
    part: {
      storageName: EXAMPLE_PART,
      contentKey: '0f8b1c5e-5a53-4c1f-8d0a-6f1f7d1d2c11',
      size: 921,
    },
  },
});

/** Names of the parts in the file store, which are removed. */
const partNames = z.array(z.string());

/** Stream `resumable-uploads`. */
export const ResumableUploadFinished = defineEvent({
  type: 'ResumableUploadFinished',
  description: 'The parts of a file were put together. The file is an upload now.',
  schema: z.strictObject({ resumableId, uploadId: id, partNames }),
  example: { resumableId: EXAMPLE_ID, uploadId: 5, partNames: [EXAMPLE_PART] },
});

/** Stream `resumable-uploads`. */
export const ResumableUploadAbandoned = defineEvent({
  type: 'ResumableUploadAbandoned',
  description: 'The upload of a file in parts was abandoned. No more parts are accepted.',
  schema: z.strictObject({
    resumableId,
    /** Whether nothing was received for too long; else its uploader abandoned it. */
    isExpired: z.boolean(),
    partNames,
  }),
  example: { resumableId: EXAMPLE_ID, isExpired: true, partNames: [EXAMPLE_PART] },
});

export const resumableUploadEvents = [
  ResumableUploadStarted,
  ResumableUploadExtended,
  ResumableUploadFinished,
  ResumableUploadAbandoned,
] as const;

export type ResumableUploadEvent = EventOf<(typeof resumableUploadEvents)[number]>;
