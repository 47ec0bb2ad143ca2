import { OperatorError } from '../../kernel/errors.js';
import { headerSchema, lineSchema, type ExportHeader, type ExportLine } from './format.js';

/** The input is not a valid export, or cannot be imported here. The message is a sentence for the operator. */
export class ImportRefusedError extends OperatorError {
  override readonly name = 'ImportRefusedError';
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
