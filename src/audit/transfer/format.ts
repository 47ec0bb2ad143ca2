import { z } from 'zod';
import { jsonObjectSchema as json } from '../json-object.js';
import { treeHeadSchema } from '../sealing/signed-tree-head.js';

const whole = z.number().int().nonnegative();

/** The first line of an export. */
export const headerSchema = z.strictObject({
  format: z.literal('palimpsest-log'),
  /** 2: uploaded files are in it, unless `files` says otherwise. */
  version: z.union([z.literal(1), z.literal(2)]),
  organization: z.string(),
  exportedAt: z.string(),
  /** Whether the keys of erasable content are in it, wrapped as the key store keeps them. */
  keys: z.boolean(),
  /** Whether uploaded files are in it, encrypted as the file store keeps them; absent: they are not. */
  files: z.boolean().optional(),
});

/** A stored event without its position, which another store gives anew. */
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

/** A key, before the first event that it opens; `wrapped` is base64, and null where it was destroyed. */
const keyLineSchema = z.strictObject({
  key: z.strictObject({ id: z.string(), wrappedBy: z.string().nullable(), wrapped: z.string().nullable() }),
});

/** A part of an uploaded file, base64, behind the event that names it; `sha256` of all of them stands in the last. */
const fileLineSchema = z.strictObject({
  file: z.strictObject({ name: z.string(), part: z.string(), sha256: z.string().nullable() }),
});

/** The last line: what all events come to, signed. */
const endLineSchema = z.strictObject({ end: z.strictObject({ statement: treeHeadSchema }) });

/** Every line of an export after the first. */
export const lineSchema = z.union([eventLineSchema, keyLineSchema, fileLineSchema, endLineSchema]);

export type ExportHeader = z.infer<typeof headerSchema>;
export type ExportLine = z.infer<typeof lineSchema>;
export type ExportedEvent = z.infer<typeof eventLineSchema>['event'];
export type ExportedKey = z.infer<typeof keyLineSchema>['key'];
export type ExportedFile = z.infer<typeof fileLineSchema>['file'];
