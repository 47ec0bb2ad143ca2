import type { Keyed } from '../port.js';
import type { Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { CollectionSchema } from './collection-schema.js';
import type { Connection } from './connection.js';
import { openConditions, whereSql } from './filter-sql.js';
import { predicateOf, type Predicate } from './predicate.js';
import { readPage, wholeDocuments, type Selection } from './selection.js';
import { chooseSource, fromClause, orderClause } from './source.js';

/** What SQL can tell of a query's answer. */
export interface Candidates {
  /** What is to be asked of each candidate yet; null when every one matches. */
  readonly matches: Predicate | null;
  /** Whether they come in the wanted order. */
  readonly ordered: boolean;
  /** A page of them; null when the columns of the selection do not tell exactly what is in them. */
  readonly read: (window: Window, selection: Selection) => Keyed[] | null;
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

/** A collection's tables, and the way to them. */
export interface Tables {
  readonly connection: Connection;
  readonly schema: CollectionSchema;
}

/** The candidates that one statement answers. */
export function simpleCandidates({ connection, schema }: Tables, { condition, sort }: Query): Candidates {
  const source = chooseSource(schema, condition, sort);
  const where = whereSql(source, condition);
  const order = orderClause(source, sort);
  const from = `${fromClause(source, true)} WHERE ${where.sql}${order ?? ''} LIMIT ? OFFSET ?`;
  return {
    matches: where.exact ? null : predicateOf({ kind: 'and', branches: openConditions(source, condition) }),
    ordered: order !== null,
    read: ({ limit, offset }, selection) =>
      readPage(connection, { from, parameters: [...where.parameters, limit, offset], limit }, selection),
  };
}

/** A page of candidates as whole documents. */
export function pageOf({ read }: Candidates, window: Window): Keyed[] {
  return read(window, wholeDocuments) ?? [];
}
