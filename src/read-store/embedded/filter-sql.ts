import type { Operand } from '../port.js';
import { conjuncts, type Comparison, type Condition } from '../language/conditions.js';
import { isScalar } from '../language/order.js';
import type { SqlValue } from './connection.js';
import { encodeKey, SQL_LEAST_BLOB, SQL_LEAST_STRING, SQL_NULL_KEY } from './key-encoding.js';
import { columnOf, isScalarEquality, membershipIndex, rowOf, type Source } from './source.js';

/** A condition as SQL that every matching document passes. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Whether nothing but matching documents passes; if not, the documents are to be looked at. */
  readonly exact: boolean;
}

const TRUE: SqlCondition = { sql: '1', parameters: [], exact: true };
const FALSE: SqlCondition = { sql: '0', parameters: [], exact: true };
/** What SQL cannot tell. */
const UNKNOWN: SqlCondition = { sql: '1', parameters: [], exact: false };

/** Longer lists are bound as one JSON text. */
const LONGEST_LIST = 16;

function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  const exact = conditions.every((condition) => condition.exact);
  if (conditions.some(({ sql }) => sql === '0')) return FALSE;
  const telling = conditions.filter(({ sql }) => sql !== '1');
  if (telling.length === 0) return exact ? TRUE : UNKNOWN;
  return {
    sql: telling.map(({ sql }) => sql).join(' AND '),
    parameters: telling.flatMap(({ parameters }) => parameters),
    exact,
  };
}

function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  const possible = conditions.filter(({ sql }) => sql !== '0');
  if (possible.length === 0) return FALSE;
  const exact = possible.every((condition) => condition.exact);
  if (possible.some(({ sql }) => sql === '1')) return exact ? TRUE : UNKNOWN;
  return {
    sql: `(${possible.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    parameters: possible.flatMap(({ parameters }) => parameters),
    exact,
  };
}

function noneOf(conditions: readonly SqlCondition[]): SqlCondition {
  const exact = conditions.filter((condition) => condition.exact);
  const negated = exact.map(({ sql, parameters }): SqlCondition => ({
    sql: `NOT (${sql})`,
    parameters,
    exact: true,
  }));
  return allOf(exact.length === conditions.length ? negated : [...negated, UNKNOWN]);
}

/** JSON cannot carry the keys of null and booleans into SQLite, nor strings with NUL. */
function fitsJson(value: Operand): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !value.includes('\0'));
}

/** One of values, which are told apart by type as key columns tell them. */
function inList(column: string, values: readonly Operand[]): SqlCondition {
  if (values.length === 0) return FALSE;
  if (values.length <= LONGEST_LIST) return shortList(column, values);
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

function isUpper({ comparator }: Comparison): boolean {
  return comparator === '<' || comparator === '<=';
}

/** The other end of the bound's type: comparisons never match values of another. */
function bracket(column: string, comparison: Comparison): string {
  if (typeof comparison.bound === 'number') {
    return isUpper(comparison) ? `${column} > ${SQL_NULL_KEY}` : `${column} < ${SQL_LEAST_STRING}`;
  }
  return isUpper(comparison) ? `${column} >= ${SQL_LEAST_STRING}` : `${column} < ${SQL_LEAST_BLOB}`;
}

/** Comparisons of one scalar; two that face each other need no bracket. */
function range(column: string, comparisons: readonly Comparison[]): SqlCondition {
  const sql = comparisons.map(({ comparator }) => `${column} ${comparator} ?`);
  const types = new Set(comparisons.map(({ bound }) => typeof bound));
  if (types.size > 1) return FALSE;
  const [first] = comparisons;
  const closed = comparisons.some(isUpper) && !comparisons.every(isUpper);
  if (first && !closed) sql.push(bracket(column, first));
  return { sql: sql.join(' AND '), parameters: comparisons.map(({ bound }) => bound), exact: true };
}

/** A condition on the scalars of an array: some row of the index meets it. */
function member(source: Source, path: string, of: (column: string) => SqlCondition): SqlCondition {
  const index = membershipIndex(source, path);
  const column = index?.columns.find((candidate) => candidate.path === path);
  if (!index || !column) return UNKNOWN;
  const { sql, parameters, exact } = of(column.name);
  return { sql: `${rowOf(source)} IN (SELECT row FROM ${index.table} WHERE ${sql})`, parameters, exact };
}

/** A condition on the scalar at a path, or on any scalar of the array there. */
function onScalars(source: Source, path: string, of: (column: string) => SqlCondition): SqlCondition {
  const column = path === source.index?.arrayPath ? null : columnOf(source, path);
  return column === null ? member(source, path, of) : of(column);
}

function equality(column: string, value: Operand): SqlCondition {
  return { sql: `${column} = ?`, parameters: [encodeKey(value)], exact: true };
}

/** Comparisons of the same scalar make one range; each comparison of an array may be met by another element. */
function comparisonsSql(source: Source, comparisons: readonly Comparison[]): readonly SqlCondition[] {
  const ranges = new Map<string, Comparison[]>();
  const alone: SqlCondition[] = [];
  for (const comparison of comparisons) {
    const { path } = comparison;
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    if (column === null) alone.push(filterSql(source, comparison));
    else ranges.set(column, [...(ranges.get(column) ?? []), comparison]);
  }
  return [...alone, ...[...ranges].map(([column, together]) => range(column, together))];
}

function conjunctionSql(source: Source, branches: readonly Condition[]): SqlCondition {
  const comparisons = branches.filter((branch) => branch.kind === 'compare');
  const others = branches.filter((branch) => branch.kind !== 'compare');
  return allOf([
    ...others.map((branch) => filterSql(source, branch)),
    ...comparisonsSql(source, comparisons),
  ]);
}

/**
 * The WHERE clause of a query. Where a multikey index leads in, one equality with its array holds of the index's very row, so
 * that a document comes once; further ones ask about other rows.
 */
export function whereSql(source: Source, condition: Condition): SqlCondition {
  const conditions = conjuncts(condition);
  const arrayPath = source.index?.arrayPath;
  const at = conditions.findIndex((one) => isScalarEquality(one) && one.path === arrayPath);
  const leading = conditions[at];
  if (leading?.kind !== 'equal' || !isScalar(leading.value)) return conjunctionSql(source, conditions);
  const column = columnOf(source, leading.path)!;
  return allOf([equality(column, leading.value), conjunctionSql(source, conditions.toSpliced(at, 1))]);
}

function existsSql(source: Source, path: string, present: boolean): SqlCondition {
  const column = columnOf(source, path);
  // A key tells null and missing together from the rest.
  if (column === null || present || path === source.index?.arrayPath) return UNKNOWN;
  return { sql: `${column} = ${SQL_NULL_KEY}`, parameters: [], exact: false };
}

/** Translates a condition as far as key columns can tell. */
export function filterSql(source: Source, condition: Condition): SqlCondition {
  switch (condition.kind) {
    case 'and':
      return conjunctionSql(source, condition.branches);
    case 'or':
      return anyOf(condition.branches.map((branch) => filterSql(source, branch)));
    case 'nor':
      return noneOf(condition.branches.map((branch) => filterSql(source, branch)));
    case 'equal': {
      const { path, value } = condition;
      if (!isScalar(value)) return UNKNOWN;
      return onScalars(source, path, (column) => equality(column, value));
    }
    case 'in':
      return onScalars(source, condition.path, (column) => inList(column, condition.values));
    case 'compare':
      return onScalars(source, condition.path, (column) => range(column, [condition]));
    case 'exists':
      return existsSql(source, condition.path, condition.present);
    case 'size':
      return UNKNOWN;
  }
}
