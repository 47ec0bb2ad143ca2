import { conjuncts, type Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import { termsOf } from '../language/terms.js';
import type { Keyed } from '../port.js';
import type { CollectionSchema } from './collection-schema.js';
import { openConditions, whereSql } from './filter-sql.js';
import { predicateOf, type Predicate } from './predicate.js';
import type { RowReader } from './row-reader.js';
import { fitsJson } from './scalar-sql.js';
import { readPage, wholeDocuments, type Selection } from './selection.js';
import {
  chooseSource,
  fromClause,
  orderClause,
  plainSource,
  termOfCondition,
  type Source,
} from './source.js';
import type { SqlCondition } from './sql-condition.js';

/** The test of a condition on stored documents. Terms are not stored in documents, so they are computed for the test. */
export function documentTest({ termIndex }: CollectionSchema, condition: Condition): Predicate {
  const test = predicateOf(condition);
  if (termIndex === null || !asksAbout(condition, termIndex.definition.path)) return test;
  const { definition } = termIndex;
  return (document) => test({ ...document, [definition.path]: termsOf(definition, document[definition.of]) });
}

function asksAbout(condition: Condition, path: string): boolean {
  if ('path' in condition) return condition.path === path;
  return condition.branches.some((branch) => asksAbout(branch, path));
}

/** The part of a query that SQL can answer. */
export interface Candidates {
  /** A test that each candidate must pass; null: all candidates match. */
  readonly matches: Predicate | null;
  /** Whether they come in the wanted order. */
  readonly ordered: boolean;
  /** Reads a page; null: the columns of the selection do not contain the exact values. */
  readonly read: (reader: RowReader, window: Window, selection: Selection) => Promise<Keyed[] | null>;
}

/** A part of an answer. */
export interface Window {
  /** {@link EVERYTHING}: no limit. */
  readonly limit: number;
  readonly offset: number;
}

/** SQLite's value for no limit. */
export const EVERYTHING = -1;

/** A parsed query. */
export interface Query {
  readonly condition: Condition;
  readonly sort: readonly SortKey[];
}

/** The test of what SQL does not decide of a condition; null: SQL decides everything. */
function testOf(source: Source, { exact }: SqlCondition, condition: Condition): Predicate | null {
  if (exact) return null;
  return documentTest(source.schema, { kind: 'and', branches: openConditions(source, condition) });
}

/** The candidates of one statement. */
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

/** Scanning this many keys of a term costs as much as checking one document for the term. */
const KEYS_PER_LOOKUP = 50;

/**
 * The candidates among documents whose keys are listed. Each is looked up and tested for the other conditions, however many branches they
 * have. If terms are requested and the keys are close together, the range of documents with these terms is scanned instead: it is in order,
 * and shorter.
 *
 * @returns null: the filter lists no keys
 */
export function keyedCandidates(schema: CollectionSchema, { condition, sort }: Query): Candidates | null {
  const conditions = conjuncts(condition);
  const list = conditions.find((one) => one.kind === 'in' && one.path === '_id');
  const keys = list?.kind === 'in' ? list.values.filter((value) => value !== null) : [];
  if (list === undefined || !keys.every(fitsJson)) return null;
  const byTerms = conditions.some((one) => termOfCondition(schema, one) !== null) && areAdjacent(keys);
  const source: Source = { ...plainSource(schema), byTerms };
  const rest: Condition = { kind: 'and', branches: conditions.filter((one) => one !== list) };
  const where = whereSql(source, rest);
  const order = orderClause(source, sort);
  const among = byTerms ? withinRange(source) : lookedUp(schema);
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

function areAdjacent(keys: readonly unknown[]): boolean {
  let [min, max] = [Infinity, -Infinity];
  for (const key of keys) {
    min = Math.min(min, Number(key));
    max = Math.max(max, Number(key));
  }
  return max - min < keys.length * KEYS_PER_LOOKUP;
}

function lookedUp({ table, key }: CollectionSchema): string {
  return `FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted CROSS JOIN ${table} AS stored ON stored.${key} = wanted.value WHERE`;
}

/** The plus sign keeps SQLite from using the index of terms anew for each key. */
function withinRange(source: Source): string {
  return (
    `${fromClause(source, true)} WHERE +entry.rowid IN (SELECT value FROM json_each(?1))` +
    ' AND entry.rowid >= (SELECT min(value) FROM json_each(?1)) AND entry.rowid <= (SELECT max(value) FROM json_each(?1)) AND'
  );
}

/** A page of candidates as whole documents. */
export async function pageOf(reader: RowReader, { read }: Candidates, window: Window): Promise<Keyed[]> {
  return (await read(reader, window, wholeDocuments)) ?? [];
}
