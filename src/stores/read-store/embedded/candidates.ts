import type { Keyed } from '../port.js';
import { conjuncts, type Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { CollectionSchema } from './collection-schema.js';
import { documentTest } from './document-test.js';
import { openConditions, whereSql } from './filter-sql.js';
import { fitsJson } from './scalar-sql.js';
import { type SqlCondition } from './sql-condition.js';
import type { Predicate } from './predicate.js';
import type { RowReader } from './row-reader.js';
import { readPage, wholeDocuments, type Selection } from './selection.js';
import { chooseSource, fromClause, orderClause, plainSource, termAskedBy, type Source } from './source.js';

/** What SQL can tell of a query's answer. */
export interface Candidates {
  /** What is to be asked of each candidate yet; null when every one matches. */
  readonly matches: Predicate | null;
  /** Whether they come in the wanted order. */
  readonly ordered: boolean;
  /** A page of them; null when the columns of the selection do not tell exactly what is in them. */
  readonly read: (reader: RowReader, window: Window, selection: Selection) => Promise<Keyed[] | null>;
}

/** A stretch of an answer. */
export interface Window {
  /** {@link EVERYTHING}: to the end. */
  readonly limit: number;
  readonly offset: number;
}

/** SQLite's own way to say that there is no limit. */
export const EVERYTHING = -1;

/** A query, parsed. */
export interface Query {
  readonly condition: Condition;
  readonly sort: readonly SortKey[];
}

/** What SQL leaves open of a condition, as a test; null: nothing. */
function testOf(source: Source, { exact }: SqlCondition, condition: Condition): Predicate | null {
  if (exact) return null;
  return documentTest(source.schema, { kind: 'and', branches: openConditions(source, condition) });
}

/** The candidates that one statement answers. */
export function simpleCandidates(schema: CollectionSchema, { condition, sort }: Query): Candidates {
  const source = chooseSource(schema, condition, sort);
  const where = whereSql(source, condition);
  const order = orderClause(source, sort);
  const from = `${fromClause(source, true)} WHERE ${where.sql}${order ?? ''} LIMIT ? OFFSET ?`;
  return {
    matches: testOf(source, where, condition),
    ordered: order !== null,
    read: (reader, { limit, offset }, selection) =>
      readPage(reader, { schema, from, parameters: [...where.parameters, limit, offset], limit }, selection),
  };
}

/** To go through so many keys with a term costs as much as to ask of one whether it has it. */
const AS_DEAR_AS_ASKING = 50;

/**
 * The candidates among documents whose keys are listed: each is looked up, whatever else is asked, however many branches that has.
 * Where terms are asked for and the keys lie close to each other, the stretch of those that have them is gone through instead: it is
 * there in order, and shorter.
 *
 * @returns null when the filter lists no keys
 */
export function keyedCandidates(schema: CollectionSchema, { condition, sort }: Query): Candidates | null {
  const conditions = conjuncts(condition);
  const list = conditions.find((one) => one.kind === 'in' && one.path === '_id');
  const keys = list?.kind === 'in' ? list.values.filter((value) => value !== null) : [];
  if (list === undefined || !keys.every(fitsJson)) return null;
  const byTerms = conditions.some((one) => termAskedBy(schema, one) !== null) && lieClose(keys);
  const source: Source = { ...plainSource(schema), byTerms };
  const rest: Condition = { kind: 'and', branches: conditions.filter((one) => one !== list) };
  const where = whereSql(source, rest);
  const order = orderClause(source, sort);
  const among = byTerms ? withinStretch(source) : lookedUp(schema);
  const from = `${among} ${where.sql}${order ?? ''} LIMIT ? OFFSET ?`;
  return {
    matches: testOf(source, where, rest),
    ordered: order !== null,
    read: (reader, { limit, offset }, selection) => {
      const parameters = [JSON.stringify(keys), ...where.parameters, limit, offset];
      return readPage(reader, { schema, from, parameters, limit }, selection);
    },
  };
}

function lieClose(keys: readonly unknown[]): boolean {
  let [least, most] = [Infinity, -Infinity];
  for (const key of keys) {
    least = Math.min(least, Number(key));
    most = Math.max(most, Number(key));
  }
  return most - least < keys.length * AS_DEAR_AS_ASKING;
}

function lookedUp({ table, key }: CollectionSchema): string {
  return `FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted CROSS JOIN ${table} AS stored ON stored.${key} = wanted.value WHERE`;
}

/** The plus sign keeps SQLite from asking the index of terms anew for each key. */
function withinStretch(source: Source): string {
  return (
    `${fromClause(source, true)} WHERE +entry.rowid IN (SELECT value FROM json_each(?1))` +
    ' AND entry.rowid >= (SELECT min(value) FROM json_each(?1)) AND entry.rowid <= (SELECT max(value) FROM json_each(?1)) AND'
  );
}

/** A page of candidates as whole documents. */
export async function pageOf(reader: RowReader, { read }: Candidates, window: Window): Promise<Keyed[]> {
  return (await read(reader, window, wholeDocuments)) ?? [];
}
