import type { Operand } from '../port.js';
import { conjuncts, type Comparison, type Condition } from '../language/conditions.js';
import { isScalar } from '../language/order.js';
import type { MultikeyIndex } from './collection-schema.js';
import type { SqlValue } from './connection.js';
import { fieldIsOneOf } from './document-sql.js';
import { bracket, encodeKey, isUpper, SQL_NULL_KEY } from './key-encoding.js';
import { isRestated } from './partial.js';
import {
  columnOf,
  leadsInto,
  membershipIndex,
  partialClause,
  rowOf,
  termAskedBy,
  type Source,
} from './source.js';

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
const MAX_LIST = 16;

const MAX_CHAIN = 200;

/** SQLite binds 32,766 at most. */
const MAX_PARAMETERS = 30_000;

/** SQLite takes no deeper expressions than 1000, so that long lists are joined as a tree. */
function joined(parts: readonly string[], operator: 'AND' | 'OR'): string {
  if (parts.length <= MAX_CHAIN) return parts.join(` ${operator} `);
  const middle = parts.length >> 1;
  return `(${joined(parts.slice(0, middle), operator)}) ${operator} (${joined(parts.slice(middle), operator)})`;
}

/** What SQL can still tell when there is too much to bind: nothing. */
function bindable(condition: SqlCondition): SqlCondition {
  return condition.parameters.length > MAX_PARAMETERS ? UNKNOWN : condition;
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
export function fitsJson(value: Operand): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !value.includes('\0'));
}

/** One of values, which are told apart by type as key columns tell them. */
function inList(column: string, values: readonly Operand[]): SqlCondition {
  if (values.length === 0) return FALSE;
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
    parameters.push(encodeKey(comparison.bound));
  }
  return { sql: closed ? sql : `${sql} AND ${bracket(column, first)}`, parameters, exact: true };
}

/** A condition on the scalars of an array: some row of the index meets it. Null and missing arrays have no rows. */
function member(source: Source, path: string, { of, seeks, mayBeNull }: ScalarTest): SqlCondition {
  const index = membershipIndex(source, path);
  const column = index?.columns.find((candidate) => candidate.path === path);
  if (!index || !column || mayBeNull) return UNKNOWN;
  const { sql, parameters, exact } = of(column.name);
  // One look at the document's own entries, where they can be found by what is sought: the list of all that have it may be long.
  const own = seeks ? ownEntries(source, index) : null;
  if (own !== null)
    return { sql: `EXISTS (SELECT 1 FROM ${index.table} WHERE ${sql} AND ${own})`, parameters, exact };
  return { sql: `${rowOf(source)} IN (SELECT row FROM ${index.table} WHERE ${sql})`, parameters, exact };
}

/** SQL of what follows the scalar in the entries of the document itself; null where a part of that has no column. */
function ownEntries(source: Source, { keys, columns, arrayPath }: MultikeyIndex): string | null {
  if (!keys.some(({ path }) => path === '_id')) return null;
  const parts = keys
    .filter(({ path }) => path !== arrayPath)
    .map(({ path }) => {
      const name = path === '_id' ? source.schema.key : columns.find((column) => column.path === path)?.name;
      const outer = columnOf(source, path);
      return name === undefined || outer === null ? null : `${name} = ${outer}`;
    });
  return parts.includes(null) ? null : parts.join(' AND ');
}

/** What is asked of a scalar. */
interface ScalarTest {
  /** As SQL about a column. */
  readonly of: (column: string) => SqlCondition;
  /** Whether it names a few values, which an index finds one by one. */
  readonly seeks: boolean;
  readonly mayBeNull: boolean;
}

/** A condition on the scalar at a path, or on any scalar of the array there. */
function onScalars(source: Source, path: string, test: ScalarTest): SqlCondition {
  const column = path === source.index?.arrayPath ? null : columnOf(source, path);
  return column === null ? member(source, path, test) : test.of(column);
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

/** SQLite refuses the index that it is told to use, unless the clause says what is in it; a plain `0` would swallow that. */
function withinPartial(source: Source, { sql, ...condition }: SqlCondition): SqlCondition {
  const clause = partialClause(source);
  return { ...condition, sql: clause === null ? sql : `${clause} AND ${sql === '0' ? '1 > 2' : sql}` };
}

/**
 * The WHERE clause of a query. Where a multikey index leads in, one equality with its array holds of the index's very row, so
 * that a document comes once; further ones ask about other rows.
 */
export function whereSql(source: Source, condition: Condition): SqlCondition {
  const { index, partial } = source;
  if (source.byTerms) return whereTerms(source, conjuncts(condition));
  const known = (index ?? partial)?.partial ?? [];
  const conditions = conjuncts(condition).filter((one) => !isRestated(known, one));
  const at = conditions.findIndex((one) => index !== null && leadsInto(index, one));
  const leading = conditions[at];
  if (leading?.kind !== 'equal' || !isScalar(leading.value))
    return withinPartial(source, conjunctionSql(source, conditions));
  const column = columnOf(source, leading.path)!;
  return allOf([equality(column, leading.value), conjunctionSql(source, conditions.toSpliced(at, 1))]);
}

/** All the terms at once: SQLite goes from one document that has them to the next. */
function whereTerms(source: Source, conditions: readonly Condition[]): SqlCondition {
  const asked = conditions.map((one) => termAskedBy(source.schema, one));
  const terms = asked.filter((term) => term !== null);
  const rest = conditions.filter((_, at) => asked[at] === null);
  const match: SqlCondition = {
    sql: `entry.${source.schema.termIndex?.table} MATCH ?`,
    parameters: [terms.map(quoted).join(' AND ')],
    exact: true,
  };
  return allOf([match, conjunctionSql(source, rest)]);
}

function quoted(term: string): string {
  return `"${term}"`;
}

/** Whether a document has one of some terms. */
function hasTerm(source: Source, terms: readonly string[]): SqlCondition {
  if (terms.length === 0) return FALSE;
  const { table } = source.schema.termIndex!;
  return {
    sql: `EXISTS (SELECT 1 FROM ${table} AS found WHERE found.${table} MATCH ? AND found.rowid = ${rowOf(source)})`,
    parameters: [terms.map(quoted).join(' OR ')],
    exact: true,
  };
}

/** What a WHERE clause leaves open of a condition. */
export function openConditions(source: Source, condition: Condition): readonly Condition[] {
  const known = (source.index ?? source.partial)?.partial ?? [];
  return conjuncts(condition).filter((one) => !isRestated(known, one) && !filterSql(source, one).exact);
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

function documentSql({ schema }: Source, path: string, values: readonly Operand[]): SqlCondition {
  const found = fieldIsOneOf(schema.text, path, values);
  return found === null ? UNKNOWN : { sql: found.possible, exact: false, ...found };
}

/** Rows of the index of terms are only asked for what all of them meet: SQLite would look for alternatives without their terms. */
function besideTerms(source: Source): Source {
  return source.byTerms ? { ...source, byTerms: false } : source;
}

/** Translates a condition as far as SQL can tell. */
function filterSql(source: Source, condition: Condition): SqlCondition {
  switch (condition.kind) {
    case 'and':
      return conjunctionSql(source, condition.branches);
    case 'or':
      return anyOf(condition.branches.map((branch) => filterSql(besideTerms(source), branch)));
    case 'nor':
      return noneOf(condition.branches.map((branch) => filterSql(besideTerms(source), branch)));
    case 'equal': {
      const { path, value } = condition;
      const term = termAskedBy(source.schema, condition);
      if (term !== null) return hasTerm(source, [term]);
      if (!isScalar(value)) return UNKNOWN;
      if (!isIndexed(source, path)) return documentSql(source, path, [value]);
      return onScalars(source, path, {
        of: (column) => equality(column, value),
        seeks: true,
        mayBeNull: value === null,
      });
    }
    case 'in': {
      const { path, values } = condition;
      if (path === source.schema.termIndex?.definition.path) return hasTerm(source, values.map(String));
      if (!isIndexed(source, path)) return documentSql(source, path, values);
      return onScalars(source, path, {
        of: (column) => inList(column, values),
        seeks: values.length <= MAX_LIST,
        mayBeNull: values.includes(null),
      });
    }
    case 'compare':
      return onScalars(source, condition.path, {
        of: (column) => range(column, [condition]),
        seeks: false,
        mayBeNull: false,
      });
    case 'exists':
      return existsSql(source, condition.path, condition.present);
    case 'size':
      return UNKNOWN;
  }
}
