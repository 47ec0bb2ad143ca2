import { z } from 'zod';
import { jsonObjectSchema as json } from '../json-object.js';
import { treeHeadSchema } from '../sealing/signed-tree-head.js';

const whole = z.number().int().nonnegative();

/** The first line of an export. */
export const headerSchema = z.strictObject({
  format: z.literal('palimpsest-log'),
  /** 2: the export contains uploaded files, unless `files` says otherwise. */
  version: z.union([z.literal(1), z.literal(2)]),
  organization: z.string(),
  exportedAt: z.string(),
  /** Whether it contains the keys of erasable content, wrapped as in the key store. */
  keys: z.boolean(),
  /** Whether it contains uploaded files, encrypted as in the file store; absent: it does not. */
  files: z.boolean().optional(),
});

/** A stored event without its position, which the importing store assigns. */
const eventLineSchema = z.strictObject({
  event: z.strictObject({
    stream: z.string(),
    revision: whole,
    id: z.string(),
    type: z.string(),
    data: json,
    metadata: json,
  }),
});

/** A key, before the first event that is encrypted with it; `wrapped` is base64, and null for a destroyed key. */
const keyLineSchema = z.strictObject({
  key: z.strictObject({ id: z.string(), wrappedBy: z.string().nullable(), wrapped: z.string().nullable() }),
});

/** A part of an uploaded file in base64, after the event that names the file; the last part has the `sha256` of all. */
const fileLineSchema = z.strictObject({
  file: z.strictObject({ name: z.string(), part: z.string(), sha256: z.string().nullable() }),
});

/** The last line: the signed root of all events. */
const endLineSchema = z.strictObject({ end: z.strictObject({ statement: treeHeadSchema }) });

/** Every line of an export after the first. */
export const lineSchema = z.union([eventLineSchema, keyLineSchema, fileLineSchema, endLineSchema]);

export type ExportHeader = z.infer<typeof headerSchema>;
export type ExportLine = z.infer<typeof lineSchema>;
export type ExportedEvent = z.infer<typeof eventLineSchema>['event'];
export type ExportedKey = z.infer<typeof keyLineSchema>['key'];
export type ExportedFile = z.infer<typeof fileLineSchema>['file'];
