import type { Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { Conjunction } from './branches.js';
import {
  DOCUMENT,
  EVERYTHING,
  readDocuments,
  type Candidates,
  type Query,
  type Tables,
  type Window,
} from './candidates.js';
import { compoundsOf, type Compound, type Term } from './compound.js';
import type { Connection } from './connection.js';
import { openConditions, whereSql } from './filter-sql.js';
import { predicateOf, type Predicate } from './predicate.js';
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

/** Empty when there are none. */
function firstRows(connection: Connection, { sql, parameters }: Compound, { limit, offset }: Window): string {
  const count = limit === EVERYTHING ? EVERYTHING : offset + limit;
  const [rows = null] = connection.row(sql, [...parameters, count]) ?? [];
  return rows === null ? '' : (rows as string);
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
  const finalOrder = orderClause({ schema, index: null }, sort);
  if (finalOrder === null) return null;
  const keys = withKey(sort);
  const terms = branches.map((branch) => termOf(tables, branch, keys));
  const places = keys.map(({ direction }, at) => (direction === 1 ? `${at + 1}` : `${at + 1} DESC`));
  const compounds = compoundsOf(terms, { table: schema.table, order: ` ORDER BY ${places.join(', ')}` });
  const rest =
    `FROM ${schema.table} AS stored WHERE row IN (` +
    `SELECT row FROM ${schema.table} AS stored WHERE row IN (SELECT value FROM json_each(?))${finalOrder} LIMIT ? OFFSET ?` +
    `)${finalOrder}`;
  const page = (window: Window, text = DOCUMENT) =>
    connection.snapshot(() => {
      const rows = compounds.map((compound) => firstRows(connection, compound, window));
      const parameters = [`[${rows.filter(Boolean).join(',')}]`, window.limit, window.offset];
      return readDocuments(connection, `SELECT ${text} AS document ${rest}`, {
        parameters,
        limit: window.limit,
      });
    });
  return { matches: openTest(terms, condition), ordered: true, page };
}

function withKey(sort: readonly SortKey[]): readonly SortKey[] {
  if (sort.some(({ path }) => path === '_id')) return sort;
  return [...sort, { path: '_id', direction: sort.at(-1)?.direction ?? 1 }];
}
