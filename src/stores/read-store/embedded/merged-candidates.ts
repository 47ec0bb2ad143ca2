import type { Keyed } from '../port.js';
import type { Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { Conjunction } from './branches.js';
import { type Candidates, documentTest, EVERYTHING, type Query, type Window } from './candidates.js';
import type { CollectionSchema } from './collection-schema.js';
import { compoundsOf, type Compound, type SimpleSelect } from './compound.js';
import { openConditions, whereSql } from './filter-sql.js';
import type { Predicate } from './predicate.js';
import type { RowReader } from './row-reader.js';
import { readPage, type PageSource, type Selection } from './selection.js';
import { chooseSource, columnOf, fromClause, orderClause, plainSource } from './source.js';

/** A branch of the filter as a term. */
interface Branch extends SimpleSelect {
  /** The conditions that its SQL does not decide. */
  readonly open: readonly Condition[];
}

function termOf(schema: CollectionSchema, branch: Conjunction, sort: readonly SortKey[]): Branch {
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

/** A common test for all candidates, if SQL leaves the same conditions open in all branches. */
function openTest(
  schema: CollectionSchema,
  terms: readonly Branch[],
  condition: Condition,
): Predicate | null {
  if (terms.every(({ open }) => open.length === 0)) return null;
  const [first] = terms;
  const alike = terms.every(
    ({ open }) => open.length === first?.open.length && open.every((one, at) => one === first.open[at]),
  );
  return documentTest(schema, alike && first ? { kind: 'and', branches: first.open } : condition);
}

/** Row numbers separated by commas; empty: there are none. */
async function firstRows(reader: RowReader, { from, parameters }: Compound, count: number): Promise<string> {
  const select = `SELECT group_concat(stored.row), count(*) ${from}`;
  const [rows = null, read = 0] = (await reader.row(select, [...parameters, count, 0])) ?? [];
  reader.noteRows(read as number);
  return rows === null ? '' : (rows as string);
}

/** A page of several statements: their row numbers are merged before any document is read. */
async function pageOfSeveral(
  reader: RowReader,
  compounds: readonly Compound[],
  {
    schema,
    order,
    window,
  }: { readonly schema: CollectionSchema; readonly order: string; readonly window: Window },
): Promise<PageSource> {
  const { limit, offset } = window;
  const { table } = schema;
  const count = limit === EVERYTHING ? EVERYTHING : offset + limit;
  const rows: string[] = [];
  for (const compound of compounds) rows.push(await firstRows(reader, compound, count));
  const from =
    `FROM ${table} AS stored WHERE row IN (` +
    `SELECT row FROM ${table} AS stored WHERE row IN (SELECT value FROM json_each(?))${order} LIMIT ? OFFSET ?` +
    `)${order}`;
  return { schema, from, parameters: [`[${rows.filter(Boolean).join(',')}]`, limit, offset], limit };
}

/**
 * The candidates of a filter with many branches, such as all channel histories that a person may read. The ordered first rows of each
 * branch are merged, so the cost grows with the branches and the page, not with the collection.
 *
 * @returns null: a sorting path has no column
 */
export function mergedCandidates(
  schema: CollectionSchema,
  branches: readonly Conjunction[],
  { condition, sort }: Query,
): Candidates | null {
  const order = orderClause(plainSource(schema), sort);
  if (order === null) return null;
  const keys = withKey(sort);
  const terms = branches.map((branch) => termOf(schema, branch, keys));
  const places = keys.map(({ direction }, at) => (direction === 1 ? `${at + 1}` : `${at + 1} DESC`));
  const compounds = compoundsOf(terms, { ...schema, order: ` ORDER BY ${places.join(', ')}` });
  const read = async (reader: RowReader, window: Window, selection: Selection): Promise<Keyed[] | null> => {
    const { limit, offset } = window;
    const [first] = compounds;
    if (first !== undefined && compounds.length === 1) {
      const parameters = [...first.parameters, limit, offset];
      return readPage(reader, { schema, from: first.from, parameters, limit }, selection);
    }
    return reader.snapshot(async (within) =>
      readPage(within, await pageOfSeveral(within, compounds, { schema, order, window }), selection),
    );
  };
  return { matches: openTest(schema, terms, condition), ordered: true, read };
}

function withKey(sort: readonly SortKey[]): readonly SortKey[] {
  if (sort.some(({ path }) => path === '_id')) return sort;
  return [...sort, { path: '_id', direction: sort.at(-1)?.direction ?? 1 }];
}
