import type { Keyed } from '../port.js';
import type { Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { Conjunction } from './branches.js';
import { EVERYTHING, type Candidates, type Query, type Tables, type Window } from './candidates.js';
import { compoundsOf, type Compound, type Term } from './compound.js';
import type { Connection } from './connection.js';
import { openConditions, whereSql } from './filter-sql.js';
import { predicateOf, type Predicate } from './predicate.js';
import { readPage, type PageSource, type Selection } from './selection.js';
import { chooseSource, columnOf, fromClause, orderClause } from './source.js';

/** A branch of the filter as a term. */
interface Branch extends Term {
  /** What the SQL leaves open. */
  readonly open: readonly Condition[];
}

function termOf({ schema }: Tables, branch: Conjunction, sort: readonly SortKey[]): Branch {
  const condition = { kind: 'and', branches: branch } as const;
  const source = chooseSource(schema, condition, sort);
  const { sql, parameters, exact } = whereSql(source, condition);
  const columns = sort
    .map(({ path }) => columnOf(source, path) + (path === '_id' ? ' AS id' : ''))
    .join(', ');
  const documents = source.index !== null && `${columns} ${sql}`.includes('stored.');
  return {
    sql: `SELECT ${columns} ${fromClause(source, documents)} WHERE ${sql}`,
    parameters,
    open: exact ? [] : openConditions(source, condition),
  };
}

/** One test for all candidates, if their branches leave the same open. */
function openTest(terms: readonly Branch[], condition: Condition): Predicate | null {
  if (terms.every(({ open }) => open.length === 0)) return null;
  const [first] = terms;
  const alike = terms.every(
    ({ open }) => open.length === first?.open.length && open.every((one, at) => one === first.open[at]),
  );
  return predicateOf(alike && first ? { kind: 'and', branches: first.open } : condition);
}

/** Row numbers separated by commas; empty when there are none. */
function firstRows(connection: Connection, { from, parameters }: Compound, count: number): string {
  const [rows = null] =
    connection.row(`SELECT group_concat(stored.row) ${from}`, [...parameters, count, 0]) ?? [];
  return rows === null ? '' : (rows as string);
}

/** What several statements lead to: which of their first rows are wanted is found out before any document is read. */
function pageOfSeveral(
  { connection, schema }: Tables,
  compounds: readonly Compound[],
  { order, window }: { readonly order: string; readonly window: Window },
): PageSource {
  const { limit, offset } = window;
  const count = limit === EVERYTHING ? EVERYTHING : offset + limit;
  const rows = compounds.map((compound) => firstRows(connection, compound, count)).filter(Boolean);
  const from =
    `FROM ${schema.table} AS stored WHERE row IN (` +
    `SELECT row FROM ${schema.table} AS stored WHERE row IN (SELECT value FROM json_each(?))${order} LIMIT ? OFFSET ?` +
    `)${order}`;
  return { from, parameters: [`[${rows.join(',')}]`, limit, offset], limit };
}

/**
 * The candidates of a filter with many branches, such as all the histories that a person may read: the ordered first rows of
 * each branch are merged, so that the cost grows with the branches and the page, not with the collection.
 *
 * @returns null when there is no column to sort by.
 */
export function mergedCandidates(
  tables: Tables,
  branches: readonly Conjunction[],
  { condition, sort }: Query,
): Candidates | null {
  const { connection, schema } = tables;
  const order = orderClause({ schema, index: null }, sort);
  if (order === null) return null;
  const keys = withKey(sort);
  const terms = branches.map((branch) => termOf(tables, branch, keys));
  const places = keys.map(({ direction }, at) => (direction === 1 ? `${at + 1}` : `${at + 1} DESC`));
  const compounds = compoundsOf(terms, { table: schema.table, order: ` ORDER BY ${places.join(', ')}` });
  const read = (window: Window, selection: Selection): Keyed[] | null => {
    const { limit, offset } = window;
    const [first] = compounds;
    if (first !== undefined && compounds.length === 1) {
      const parameters = [...first.parameters, limit, offset];
      return readPage(connection, { from: first.from, parameters, limit }, selection);
    }
    return connection.snapshot(() =>
      readPage(connection, pageOfSeveral(tables, compounds, { order, window }), selection),
    );
  };
  return { matches: openTest(terms, condition), ordered: true, read };
}

function withKey(sort: readonly SortKey[]): readonly SortKey[] {
  if (sort.some(({ path }) => path === '_id')) return sort;
  return [...sort, { path: '_id', direction: sort.at(-1)?.direction ?? 1 }];
}
