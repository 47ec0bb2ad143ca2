import type { SortKey } from '../language/options.js';
import type { Conjunction } from './branches.js';
import { readDocuments, type Candidates, type Tables, type Window } from './candidates.js';
import type { Connection, SqlValue } from './connection.js';
import { whereSql } from './filter-sql.js';
import { chooseSource, columnOf, fromClause, orderClause, rowOf } from './source.js';

/** Well under SQLite's limit of 500 terms in a compound SELECT. */
const MOST_TERMS = 256;

/** A branch as a SELECT of row numbers and sort columns, in the order of the sort. */
interface Term {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly exact: boolean;
}

function termOf({ schema }: Tables, branch: Conjunction, sort: readonly SortKey[]): Term {
  const condition = { kind: 'and', branches: branch } as const;
  const source = chooseSource(schema, condition, sort);
  const { sql, parameters, exact } = whereSql(source, condition);
  const columns = [rowOf(source), ...sort.map(({ path }) => columnOf(source, path))].join(', ');
  const from = fromClause(source, `${columns} ${sql}`.includes('stored.'));
  return { sql: `SELECT ${columns} ${from} WHERE ${sql}`, parameters, exact };
}

/** Groups of terms with the same SQL, cut to sizes that are powers of two so that few statements serve all. */
function chunksOf(terms: readonly Term[]): readonly (readonly Term[])[] {
  const bySql = new Map<string, Term[]>();
  for (const term of terms) {
    const alike = bySql.get(term.sql);
    if (alike) alike.push(term);
    else bySql.set(term.sql, [term]);
  }
  return [...bySql.values()].flatMap(chunksOfAlike);
}

function chunksOfAlike(terms: readonly Term[]): readonly Term[][] {
  const chunks: Term[][] = [];
  for (let from = 0; from < terms.length; from += MOST_TERMS) {
    const chunk = terms.slice(from, from + MOST_TERMS);
    const size = 2 ** Math.ceil(Math.log2(chunk.length));
    // A term twice changes nothing: UNION removes what is double.
    while (chunk.length < size) chunk.push(chunk[0]!);
    chunks.push(chunk);
  }
  return chunks;
}

/** The first rows of a chunk. SQLite merges terms that are in order, taking no more of each than is asked for. */
function firstRows(connection: Connection, chunk: readonly Term[], { order, count }: Merge): number[] {
  const sql = `${chunk.map((term) => term.sql).join(' UNION ')}${order} LIMIT ?`;
  const parameters = [...chunk.flatMap((term) => term.parameters), count];
  return connection.rows(sql, parameters).map(([row]) => row as number);
}

interface Merge {
  /** ORDER BY, by place. */
  readonly order: string;
  readonly count: number;
}

/**
 * The candidates of a filter with many branches, such as all the histories that a person may read: the ordered first rows of each
 * branch are merged, so that the cost grows with the branches and the page, not with the collection.
 *
 * @returns null when there is no column to sort by.
 */
export function mergedCandidates(
  tables: Tables,
  branches: readonly Conjunction[],
  sort: readonly SortKey[],
): Candidates | null {
  const { connection, schema } = tables;
  const finalOrder = orderClause({ schema, index: null }, sort);
  if (finalOrder === null) return null;
  const keys = sort.some(({ path }) => path === '_id')
    ? sort
    : [...sort, { path: '_id', direction: sort.at(-1)!.direction }];
  const terms = branches.map((branch) => termOf(tables, branch, keys));
  const chunks = chunksOf(terms);
  const order = ` ORDER BY ${keys.map(({ direction }, at) => (direction === 1 ? `${at + 2}` : `${at + 2} DESC`)).join(', ')}`;
  const select =
    `SELECT stored.document FROM ${schema.table} AS stored ` +
    `WHERE stored.row IN (SELECT value FROM json_each(?))${finalOrder} LIMIT ? OFFSET ?`;
  const page = ({ limit, offset }: Window) =>
    connection.snapshot(() => {
      const rows = chunks.flatMap((chunk) => firstRows(connection, chunk, { order, count: offset + limit }));
      return readDocuments(connection, select, { parameters: [JSON.stringify(rows), limit, offset], limit });
    });
  return { exact: terms.every(({ exact }) => exact), ordered: true, page };
}
