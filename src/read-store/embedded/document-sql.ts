import type { Operand } from '../port.js';
import type { SqlValue } from './connection.js';

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
const LONGEST_LIST = 16;

/**
 * Whether the field at a path is one of values; null where SQL cannot tell. A document's text has each scalar exactly as
 * `JSON.stringify` writes it, so that scalars are equal if their texts are.
 */
export function fieldIsOneOf(path: string, values: readonly Operand[]): DocumentSql | null {
  if (!PLAIN_FIELD.test(path) || values.length === 0 || values.length > LONGEST_LIST) return null;
  const text = `coalesce(stored.document -> '$.${path}', 'null')`;
  const certain = `${text} IN (${values.map(() => '?').join(',')})`;
  return {
    possible: `(${certain} OR ${text} LIKE '[%')`,
    certain,
    parameters: values.map((value) => JSON.stringify(value)),
  };
}
