import type { Operand } from '../port.js';
import { conjuncts, type Comparison, type Condition } from '../language/conditions.js';
import { isScalar } from '../language/order.js';
import type { MultikeyIndex } from './collection-schema.js';
import { fieldIsOneOf } from './document-sql.js';
import { SQL_NULL_KEY } from './key-encoding.js';
import { isRestated } from './partial.js';
import {
  columnOf,
  leadsInto,
  membershipIndex,
  partialClause,
  rowOf,
  termOfCondition,
  type Source,
} from './source.js';
import {
  allOf,
  anyOf,
  bindable,
  alwaysFalse,
  noneOf,
  type SqlCondition,
  undecided,
} from './sql-condition.js';
import { range, inList, MAX_LIST, equality } from './scalar-sql.js';

/** A condition on the scalars of an array: some row of the index meets it. Null and missing arrays have no rows. */
function member(source: Source, path: string, { of, seeks, mayBeNull }: ScalarTest): SqlCondition {
  const index = membershipIndex(source, path);
  const column = index?.columns.find((candidate) => candidate.path === path);
  if (!index || !column || mayBeNull) return undecided;
  const { sql, parameters, exact } = of(column.name);
  // If the sought values are few, the document's own entries are looked up: the list of all documents with a value may be long.
  const own = seeks ? ownEntries(source, index) : null;
  if (own !== null)
    return { sql: `EXISTS (SELECT 1 FROM ${index.table} WHERE ${sql} AND ${own})`, parameters, exact };
  return { sql: `${rowOf(source)} IN (SELECT row FROM ${index.table} WHERE ${sql})`, parameters, exact };
}

/** SQL that looks up the entries of the document itself, up to the scalar; null: a part of that has no column. */
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

/** A test of a scalar. */
interface ScalarTest {
  /** As SQL on a column. */
  readonly of: (column: string) => SqlCondition;
  /** Whether it names a few values, which an index finds one by one. */
  readonly seeks: boolean;
  readonly mayBeNull: boolean;
}

/** A condition on the scalar at a path, or on any scalar of the array at it. */
function onScalars(source: Source, path: string, test: ScalarTest): SqlCondition {
  const column = path === source.index?.arrayPath ? null : columnOf(source, path);
  return column === null ? member(source, path, test) : test.of(column);
}

/** Comparisons of one scalar are combined into a range. In an array, each comparison may be met by another element. */
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

/** SQLite refuses a forced partial index unless the WHERE clause contains the index's conditions, which a constant `0` would optimize away. */
function withinPartial(source: Source, { sql, ...condition }: SqlCondition): SqlCondition {
  const clause = partialClause(source);
  return { ...condition, sql: clause === null ? sql : `${clause} AND ${sql === '0' ? '1 > 2' : sql}` };
}

/**
 * The WHERE clause of a query. If a multikey index is used, one equality with its array applies to the index row itself, so that each
 * document occurs once; other conditions look up other rows.
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

/** All terms in one condition: SQLite then steps from one document that has them all to the next. */
function whereTerms(source: Source, conditions: readonly Condition[]): SqlCondition {
  const asked = conditions.map((one) => termOfCondition(source.schema, one));
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

/** Whether a document has any of some terms. */
function hasTerm(source: Source, terms: readonly string[]): SqlCondition {
  if (terms.length === 0) return alwaysFalse;
  const { table } = source.schema.termIndex!;
  return {
    sql: `EXISTS (SELECT 1 FROM ${table} AS found WHERE found.${table} MATCH ? AND found.rowid = ${rowOf(source)})`,
    parameters: [terms.map(quoted).join(' OR ')],
    exact: true,
  };
}

/** The conditions that a WHERE clause does not decide. */
export function openConditions(source: Source, condition: Condition): readonly Condition[] {
  const known = (source.index ?? source.partial)?.partial ?? [];
  return conjuncts(condition).filter((one) => !isRestated(known, one) && !filterSql(source, one).exact);
}

function existsSql(source: Source, path: string, present: boolean): SqlCondition {
  const column = columnOf(source, path);
  // A key column does not distinguish null and missing.
  if (column === null || present || path === source.index?.arrayPath) return undecided;
  return { sql: `${column} = ${SQL_NULL_KEY}`, parameters: [], exact: false };
}

function isIndexed(source: Source, path: string): boolean {
  return columnOf(source, path) !== null || membershipIndex(source, path) !== undefined;
}

function documentSql({ schema }: Source, path: string, values: readonly Operand[]): SqlCondition {
  const found = fieldIsOneOf(schema.text, path, values);
  return found === null ? undecided : { sql: found.possible, exact: false, ...found };
}

/** Under the index of terms, only conditions that all alternatives share are used, because SQLite would evaluate alternatives without their terms. */
function withoutTermIndex(source: Source): Source {
  return source.byTerms ? { ...source, byTerms: false } : source;
}

/** Translates a condition as far as SQL can decide it. */
function filterSql(source: Source, condition: Condition): SqlCondition {
  switch (condition.kind) {
    case 'and':
      return conjunctionSql(source, condition.branches);
    case 'or':
      return anyOf(condition.branches.map((branch) => filterSql(withoutTermIndex(source), branch)));
    case 'nor':
      return noneOf(condition.branches.map((branch) => filterSql(withoutTermIndex(source), branch)));
    case 'equal': {
      const { path, value } = condition;
      const term = termOfCondition(source.schema, condition);
      if (term !== null) return hasTerm(source, [term]);
      if (!isScalar(value)) return undecided;
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
      return undecided;
  }
}
