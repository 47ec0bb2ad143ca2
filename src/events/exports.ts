import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** The stream of exports. */
export const EXPORTS_STREAM = 'exports';

/**
 * The content of an export: `public` what every member may read, `full_with_consent` also what people may
 * read who consent to that, `full_without_consent` the whole log.
 */
export const exportTypes = ['public', 'full_with_consent', 'full_without_consent'] as const;
export type ExportType = (typeof exportTypes)[number];

/** Why an export was given up. */
const exportFaults = ['too large', 'took too long', 'failed again and again'] as const;
export type ExportFault = (typeof exportFaults)[number];

/** From 1. */
const exportId = z.number().int().positive();
const whole = z.number().int().nonnegative();

const EXAMPLE_NAME = '2/exports/9f86d081884c7d659a2feaa0c55ad015';
const exampleFile = { storageName: EXAMPLE_NAME, contentKey: '0f8b1c5e-5a53-4c1f-8d0a-6f1f7d1d2c11' };

/** Stream `exports`. */
export const ExportRequested = defineEvent({
  type: 'ExportRequested',
  description:
    'An administrator requested an export of the organization. The server makes it in the background.',
  schema: z.strictObject({ exportId, userId: exportId, exportType: z.enum(exportTypes) }),
  example: { exportId: 1, userId: 3, exportType: 'public' },
});

/** Stream `exports`. After a crash the export is started again from the beginning. */
export const ExportStarted = defineEvent({
  type: 'ExportStarted',
  description: 'The server started to make an export.',
  schema: z.strictObject({
    exportId,
    /** Name of this attempt's file in the file store. */
    storageName: z.string(),
  }),
  example: { exportId: 1, storageName: EXAMPLE_NAME },
});

/** Stream `exports`. */
export const ExportCompleted = defineEvent({
  type: 'ExportCompleted',
  description: 'An export was completed and can be downloaded.',
  schema: z.strictObject({
    exportId,
    /** Nested, so that an export of the log does not include the files of earlier exports. */
    file: z.strictObject({
      /** Name in the file store. */
      storageName: z.string(),
      /** Id of its key. */
      contentKey: z.string(),
      /** Bytes. */
      size: whole,
    }),
    /** SHA-256 of the file before it was encrypted, hexadecimal. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Null: it contains the whole log. */
    messages: whole.nullable(),
    /** Number of uploads that messages refer to and that do not exist any more. */
    missingFiles: whole,
    /** Number of damaged events that it contains unchanged. */
    damagedEvents: whole,
  }),
  example: {
    exportId: 1,
    file: { ...exampleFile, size: 1_842 },
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    messages: 41,
    missingFiles: 0,
    damagedEvents: 0,
  },
});

/** Stream `exports`. */
export const ExportFailed = defineEvent({
  type: 'ExportFailed',
  description: 'An export failed and is not tried again.',
  schema: z.strictObject({ exportId, fault: z.enum(exportFaults) }),
  example: { exportId: 1, fault: 'too large' },
});

/** Stream `exports`. */
export const ExportDownloaded = defineEvent({
  type: 'ExportDownloaded',
  description: 'Somebody downloaded an export or a part of it.',
  schema: z.strictObject({ exportId }),
  example: { exportId: 1 },
});

/** Stream `exports`. */
export const ExportDeleted = defineEvent({
  type: 'ExportDeleted',
  description:
    'The file of an export was removed, by an administrator or at the end of its retention period.',
  schema: z.strictObject({
    exportId,
    /** Whether its retention time was over. */
    isExpired: z.boolean(),
    /** The file to remove, and the key to destroy. */
    file: z.strictObject({ storageName: z.string(), contentKey: z.string() }),
  }),
  example: { exportId: 1, isExpired: true, file: exampleFile },
});

export const exportEvents = [
  ExportRequested,
  ExportStarted,
  ExportCompleted,
  ExportFailed,
  ExportDownloaded,
  ExportDeleted,
] as const;

export type ExportEvent = EventOf<(typeof exportEvents)[number]>;
