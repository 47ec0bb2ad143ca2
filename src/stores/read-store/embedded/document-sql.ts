import type { Operand } from '../port.js';
import { isScalar } from '../language/order.js';
import type { SqlValue } from './connection.js';
import type { DocumentText } from './document-text.js';

/**
 * What SQL can tell from the text of a document about a field that no index knows. It is not all that a filter means (an array
 * may contain the value), but it spares reading most of the documents that do not match.
 */
export interface DocumentSql {
  /** Passed by every document that matches, and by those with an array there. */
  readonly possible: string;
  /** Passed by documents that match, and by no others. */
  readonly certain: string;
  /** Of either. */
  readonly parameters: readonly SqlValue[];
}

const PLAIN_FIELD = /^[A-Za-z_]\w*$/;

/** Longer lists are left to the documents themselves. */
const MAX_LIST = 16;

/**
 * Whether the field at a path is one of values; null where SQL cannot tell. A document's text has each scalar exactly as
 * `JSON.stringify` writes it, so that scalars are equal if their texts are.
 */
export function fieldIsOneOf(
  documents: DocumentText,
  path: string,
  values: readonly Operand[],
): DocumentSql | null {
  if (!PLAIN_FIELD.test(path) || values.length === 0 || values.length > MAX_LIST) return null;
  const leftOut = documents.defaultOf(path) ?? null;
  // A list or an object that is left out may be what is sought: only the document tells.
  if (!isScalar(leftOut)) return null;
  const text = `coalesce(stored.document -> '$.${path}', ${sqlText(JSON.stringify(leftOut))})`;
  const certain = `${text} IN (${values.map(() => '?').join(',')})`;
  return {
    possible: `(${certain} OR ${text} LIKE '[%')`,
    certain,
    parameters: values.map((value) => JSON.stringify(value)),
  };
}

/** Without a question mark, which would stand for a parameter. */
function sqlText(text: string): string {
  return `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`;
}
