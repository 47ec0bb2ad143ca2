import type { Operand } from '../port.js';
import { conjuncts, type Comparison, type Condition } from '../language/conditions.js';
import { isScalar } from '../language/order.js';
import type { SqlValue } from './connection.js';
import { fieldIsOneOf } from './document-sql.js';
import { encodeKey, SQL_LEAST_BLOB, SQL_LEAST_STRING, SQL_NULL_KEY } from './key-encoding.js';
import { columnOf, isScalarEquality, membershipIndex, rowOf, type Source } from './source.js';

/** A condition as SQL that every matching document passes. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Whether nothing but matching documents passes; if not, the documents are to be looked at. */
  readonly exact: boolean;
  /** Where it is not exact: SQL with the same parameters that nothing but matching documents passes. */
  readonly certain?: string;
}

const TRUE: SqlCondition = { sql: '1', parameters: [], exact: true };
const FALSE: SqlCondition = { sql: '0', parameters: [], exact: true };
/** What SQL cannot tell. */
const UNKNOWN: SqlCondition = { sql: '1', parameters: [], exact: false };

/** Longer lists are bound as one JSON text. */
const LONGEST_LIST = 16;

const LONGEST_CHAIN = 200;

/** SQLite binds 32,766 at most. */
const MOST_PARAMETERS = 30_000;

/** SQLite takes no deeper expressions than 1000, so that long lists are joined as a tree. */
function joined(parts: readonly string[], operator: 'AND' | 'OR'): string {
  if (parts.length <= LONGEST_CHAIN) return parts.join(` ${operator} `);
  const middle = parts.length >> 1;
  return `(${joined(parts.slice(0, middle), operator)}) ${operator} (${joined(parts.slice(middle), operator)})`;
}

/** What SQL can still tell when there is too much to bind: nothing. */
function bindable(condition: SqlCondition): SqlCondition {
  return condition.parameters.length > MOST_PARAMETERS ? UNKNOWN : condition;
}

function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  const parts: string[] = [];
  const parameters: SqlValue[] = [];
  let exact = true;
  for (const condition of conditions) {
    if (condition.sql === '0') return FALSE;
    exact &&= condition.exact;
    if (condition.sql === '1') continue;
    parts.push(condition.sql);
    for (const parameter of condition.parameters) parameters.push(parameter);
  }
  if (parts.length === 0) return exact ? TRUE : UNKNOWN;
  return { sql: joined(parts, 'AND'), parameters, exact };
}

function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  const possible = conditions.filter(({ sql }) => sql !== '0');
  if (possible.length === 0) return FALSE;
  const exact = possible.every((condition) => condition.exact);
  if (possible.some(({ sql }) => sql === '1')) return exact ? TRUE : UNKNOWN;
  return bindable({
    sql: `(${joined(
      possible.map(({ sql }) => `(${sql})`),
      'OR',
    )})`,
    parameters: possible.flatMap(({ parameters }) => parameters),
    exact,
  });
}

/** What certainly matches a branch is ruled out; of the rest, only exact branches can say that it does not match. */
function noneOf(conditions: readonly SqlCondition[]): SqlCondition {
  const negated = conditions.map(({ sql, parameters, exact, certain }) => {
    if (exact) return { sql: `NOT (${sql})`, parameters, exact };
    return certain === undefined ? UNKNOWN : { sql: `NOT (${certain})`, parameters, exact };
  });
  return bindable(allOf(negated));
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
function range(column: string, comparisons: readonly [Comparison, ...Comparison[]]): SqlCondition {
  const [first] = comparisons;
  let [sql, closed] = ['', false];
  const parameters: SqlValue[] = [];
  for (const comparison of comparisons) {
    // Nothing is of two types.
    if (typeof comparison.bound !== typeof first.bound) return FALSE;
    closed ||= isUpper(comparison) !== isUpper(first);
    sql += `${sql === '' ? '' : ' AND '}${column} ${comparison.comparator} ?`;
    parameters.push(comparison.bound);
  }
  return { sql: closed ? sql : `${sql} AND ${bracket(column, first)}`, parameters, exact: true };
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
  const ranges = new Map<string, [Comparison, ...Comparison[]]>();
  const alone: SqlCondition[] = [];
  for (const comparison of comparisons) {
    const { path } = comparison;
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    if (column === null) alone.push(filterSql(source, comparison));
    else if (ranges.get(column)?.push(comparison) === undefined) ranges.set(column, [comparison]);
  }
  for (const [column, together] of ranges) alone.push(range(column, together));
  return alone;
}

function conjunctionSql(source: Source, branches: readonly Condition[]): SqlCondition {
  const comparisons: Comparison[] = [];
  const sql: SqlCondition[] = [];
  for (const branch of branches) {
    if (branch.kind === 'compare') comparisons.push(branch);
    else sql.push(filterSql(source, branch));
  }
  return bindable(allOf(comparisons.length === 0 ? sql : [...sql, ...comparisonsSql(source, comparisons)]));
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

/** What a WHERE clause leaves open of a condition. */
export function openConditions(source: Source, condition: Condition): readonly Condition[] {
  return conjuncts(condition).filter((one) => !filterSql(source, one).exact);
}

function existsSql(source: Source, path: string, present: boolean): SqlCondition {
  const column = columnOf(source, path);
  // A key tells null and missing together from the rest.
  if (column === null || present || path === source.index?.arrayPath) return UNKNOWN;
  return { sql: `${column} = ${SQL_NULL_KEY}`, parameters: [], exact: false };
}

function isIndexed(source: Source, path: string): boolean {
  return columnOf(source, path) !== null || membershipIndex(source, path) !== undefined;
}

function documentSql(path: string, values: readonly Operand[]): SqlCondition {
  const found = fieldIsOneOf(path, values);
  return found === null ? UNKNOWN : { sql: found.possible, exact: false, ...found };
}

/** Translates a condition as far as SQL can tell. */
function filterSql(source: Source, condition: Condition): SqlCondition {
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
      if (!isIndexed(source, path)) return documentSql(path, [value]);
      return onScalars(source, path, (column) => equality(column, value));
    }
    case 'in': {
      const { path, values } = condition;
      if (!isIndexed(source, path)) return documentSql(path, values);
      return onScalars(source, path, (column) => inList(column, values));
    }
    case 'compare':
      return onScalars(source, condition.path, (column) => range(column, [condition]));
    case 'exists':
      return existsSql(source, condition.path, condition.present);
    case 'size':
      return UNKNOWN;
  }
}
