import type { Comparison } from '../language/conditions.js';
import type { Operand } from '../port.js';
import type { SqlValue } from './connection.js';
import { encodeKey, isUpper, bracket } from './key-encoding.js';
import { type SqlCondition, alwaysFalse, anyOf } from './sql-condition.js';

/** Longer lists are bound as one JSON text. */
export const MAX_LIST = 16;

/** JSON cannot represent the keys of null and booleans, or strings with NUL. */
export function fitsJson(value: Operand): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !value.includes('\0'));
}

/** One of several values, which are distinguished by type as in key columns. */
export function inList(column: string, values: readonly Operand[]): SqlCondition {
  if (values.length === 0) return alwaysFalse;
  if (values.length <= MAX_LIST) return shortList(column, values);
  const list: SqlCondition = {
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(values.filter(fitsJson))],
    exact: true,
  };
  const others = values.filter((value) => !fitsJson(value));
  return others.length === 0 ? list : anyOf([list, shortList(column, others)]);
}

/** Padded, so that lists of similar length share a prepared statement. */
function shortList(column: string, values: readonly Operand[]): SqlCondition {
  const [first = null] = values;
  if (values.length === 1) return equality(column, first);
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const padded = Array.from({ length: size }, (_, index) =>
    encodeKey(index < values.length ? values[index]! : first),
  );
  return { sql: `${column} IN (${padded.map(() => '?').join(',')})`, parameters: padded, exact: true };
}

/** Comparisons of one scalar. A lower and an upper bound together need no bracket. */
export function range(column: string, comparisons: readonly [Comparison, ...Comparison[]]): SqlCondition {
  const [first] = comparisons;
  let [sql, closed] = ['', false];
  const parameters: SqlValue[] = [];
  for (const comparison of comparisons) {
    // A value cannot have two types.
    if (typeof comparison.bound !== typeof first.bound) return alwaysFalse;
    closed ||= isUpper(comparison) !== isUpper(first);
    sql += `${sql === '' ? '' : ' AND '}${column} ${comparison.comparator} ?`;
    parameters.push(encodeKey(comparison.bound));
  }
  return { sql: closed ? sql : `${sql} AND ${bracket(column, first)}`, parameters, exact: true };
}

export function equality(column: string, value: Operand): SqlCondition {
  return { sql: `${column} = ?`, parameters: [encodeKey(value)], exact: true };
}
