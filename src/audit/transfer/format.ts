import { z } from 'zod';
import type { JsonObject } from '../../kernel/json.js';
import { statementSchema } from '../sealing/statement.js';

const whole = z.number().int().nonnegative();
const json = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The first line of an export. */
export const headerSchema = z.strictObject({
  format: z.literal('palimpsest-log'),
  version: z.literal(1),
  organization: z.string(),
  exportedAt: z.string(),
  /** Whether the keys of erasable content are in it, wrapped as the key store keeps them. */
  keys: z.boolean(),
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

/** The last line: what all events come to, signed. */
const endLineSchema = z.strictObject({ end: z.strictObject({ statement: statementSchema }) });

/** Every line of an export after the first. */
export const lineSchema = z.union([eventLineSchema, keyLineSchema, endLineSchema]);

export type ExportHeader = z.infer<typeof headerSchema>;
export type ExportLine = z.infer<typeof lineSchema>;
export type ExportedEvent = z.infer<typeof eventLineSchema>['event'];
export type ExportedKey = z.infer<typeof keyLineSchema>['key'];
