import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.js';
import { jsonObjectSchema as json } from '../../kernel/json.js';
import { treeHeadSchema } from '../sealing/signed-tree-head.js';

const whole = z.number().int().nonnegative();

/** The first line of an export. */
const headerSchema = z.strictObject({
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
const lineSchema = z.union([eventLineSchema, keyLineSchema, fileLineSchema, endLineSchema]);

export type ExportHeader = z.infer<typeof headerSchema>;
export type ExportLine = z.infer<typeof lineSchema>;
export type ExportedEvent = z.infer<typeof eventLineSchema>['event'];
export type ExportedKey = z.infer<typeof keyLineSchema>['key'];
export type ExportedFile = z.infer<typeof fileLineSchema>['file'];

/** The input is not a valid export, or cannot be imported here. The message is a sentence for the operator. */
export class ImportRefusedError extends OperatorError {
  override readonly name = 'ImportRefusedError';

  /** @param missing what the operator did not supply; null: that is not the reason */
  constructor(
    message: string,
    readonly missing: 'server-key' | 'keys' | null = null,
  ) {
    super(message);
  }
}

/** Reads the lines of an export; may be called repeatedly. */
export type ExportLines = () => AsyncIterable<string>;

export function parseHeader(text: string): ExportHeader {
  const header = headerSchema.safeParse(jsonOf(text));
  if (header.success) return header.data;
  throw new ImportRefusedError('This is no export that "palimpsest audit export" made.');
}

export function parseLine(text: string, before: number): ExportLine {
  const line = lineSchema.safeParse(jsonOf(text));
  if (line.success) return line.data;
  throw new ImportRefusedError(`The line after event ${before} is damaged.`);
}

/** Null: the header. */
export function parseAny(text: string): ExportLine | null {
  const value = jsonOf(text) as ExportLine | ExportHeader;
  return 'format' in value ? null : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A line is never null, so the caller refuses it.
    return null;
  }
}
