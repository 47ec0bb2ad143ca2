import type { Operand } from '../port.js';
import { isScalar } from '../language/order.js';
import type { SqlValue } from './connection.js';
import type { DocumentText } from './document-text.js';

/**
 * What SQL can decide from a document's text about a field without an index. It does not decide everything (an array may contain the
 * value), but it saves reading most documents that do not match.
 */
interface DocumentSql {
  /** True for every document that matches, and for those with an array at the path. */
  readonly possible: string;
  /** True only for documents that match. */
  readonly certain: string;
  /** The parameters of either. */
  readonly parameters: readonly SqlValue[];
}

const plainField = /^[A-Za-z_]\w*$/;

/** Longer lists are tested on the documents themselves. */
const MAX_LIST = 16;

/**
 * Whether the field at a path is one of the values; null: SQL cannot decide. A document's text contains each scalar exactly as
 * `JSON.stringify` writes it, so scalars are equal if their texts are.
 */
export function fieldIsOneOf(
  documents: DocumentText,
  path: string,
  values: readonly Operand[],
): DocumentSql | null {
  if (!plainField.test(path) || values.length === 0 || values.length > MAX_LIST) return null;
  const leftOut = documents.defaultOf(path) ?? null;
  // If the omitted default is an array or an object, only the document can decide.
  if (!isScalar(leftOut)) return null;
  const text = `coalesce(stored.document -> '$.${path}', ${sqlText(JSON.stringify(leftOut))})`;
  const certain = `${text} IN (${values.map(() => '?').join(',')})`;
  return {
    possible: `(${certain} OR ${text} LIKE '[%')`,
    certain,
    parameters: values.map((value) => JSON.stringify(value)),
  };
}

/** Question marks are escaped, because they would stand for parameters. */
function sqlText(text: string): string {
  return `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`;
}
