import { UnsupportedQueryError, type Keyed, type Operand } from '../port.js';
import type { Comparison } from '../language/conditions.js';
import { fieldOf, isFields } from '../language/documents.js';
import { isScalar } from '../language/order.js';
import type { SqlValue } from './connection.js';

/**
 * Key columns contain scalars in a form in which SQLite's order is MongoDB's: null and missing fields as the least REAL, numbers, strings
 * (SQLite compares their UTF-8), booleans as blobs. SQL's NULL is not used, so that every comparison is two-valued, and a unique index
 * treats missing fields as MongoDB does.
 */
const NULL_KEY = -Infinity;

/** {@link NULL_KEY}, the least string and the least blob as SQL. */
export const SQL_NULL_KEY = '-9e999';
const SQL_LEAST_STRING = "''";
const SQL_LEAST_BLOB = "x''";

const falseKey = Uint8Array.of(0);
const trueKey = Uint8Array.of(1);

/** A scalar in the form of a key column. */
export function encodeKey(value: Operand): SqlValue {
  if (value === null) return NULL_KEY;
  if (typeof value === 'boolean') return value ? trueKey : falseKey;
  // Integers take as many bytes as necessary; other numbers take eight.
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

function keyOf(path: string, value: unknown): SqlValue {
  if (value === undefined) return NULL_KEY;
  if (isScalar(value)) return encodeKey(value);
  const what = Array.isArray(value) ? 'an array (an index over it names it as multikey)' : 'an object';
  throw new UnsupportedQueryError(`The indexed field ${path} holds ${what}`);
}

/** The key column's value for the field at a path. */
export function scalarKey(document: Keyed, parts: readonly string[]): SqlValue {
  let value: unknown = document;
  for (const part of parts) {
    if (Array.isArray(value)) return keyOf(parts.join('.'), value);
    value = isFields(value) ? fieldOf(value, part) : undefined;
  }
  return keyOf(parts.join('.'), value);
}

function collect(value: unknown, parts: readonly string[], found: Map<unknown, SqlValue>): void {
  const [part, ...rest] = parts;
  if (part === undefined) {
    if (value === undefined || value === null) return;
    const key = keyOf('inside an array', value);
    found.set(value, key);
    return;
  }
  const field = isFields(value) ? fieldOf(value, part) : undefined;
  if (!Array.isArray(field)) return collect(field, rest, found);
  for (const element of field) {
    if (rest.length === 0 || isFields(element)) collect(element, rest, found);
  }
}

/** The distinct scalars, without null, at a path that leads through or to arrays: those that an equality would find. */
export function multipleKeys(document: Keyed, parts: readonly string[]): readonly SqlValue[] {
  const found = new Map<unknown, SqlValue>();
  collect(document, parts, found);
  return [...found.values()];
}

/** Whether a comparison bounds a value from above. */
export function isUpper({ comparator }: Comparison): boolean {
  return comparator === '<' || comparator === '<=';
}

/** SQL that limits a comparison to the type of its bound: values of other types never match. */
export function bracket(column: string, comparison: Comparison): string {
  if (typeof comparison.bound === 'number') {
    return isUpper(comparison) ? `${column} > ${SQL_NULL_KEY}` : `${column} < ${SQL_LEAST_STRING}`;
  }
  return isUpper(comparison) ? `${column} >= ${SQL_LEAST_STRING}` : `${column} < ${SQL_LEAST_BLOB}`;
}
