import type { Keyed } from '../port.js';
import type { Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { CollectionSchema } from './collection-schema.js';
import type { Connection, SqlValue } from './connection.js';
import { openConditions, whereSql } from './filter-sql.js';
import { predicateOf, type Predicate } from './predicate.js';
import { chooseSource, fromClause, orderClause } from './source.js';

/** What SQL can tell of a query's answer. */
export interface Candidates {
  /** What is to be asked of each candidate yet; null when every one matches. */
  readonly matches: Predicate | null;
  /** Whether they come in the wanted order. */
  readonly ordered: boolean;
  /** A page of them. `text` is the SQL of what is read of each; absent: the document. */
  readonly page: (window: Window, text?: string) => Keyed[];
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

/** SQL of a whole document. */
export const DOCUMENT = 'stored.document';

/** So many documents are handed over as one text: crossing into the database for each costs more than it reads. */
const MOST_TOGETHER = 256;

/** Reads the documents that `select` answers as its only column. */
export function readDocuments(
  connection: Connection,
  select: string,
  { parameters, limit }: Reading,
): Keyed[] {
  if (limit === EVERYTHING || limit > MOST_TOGETHER) {
    return connection.rows(select, parameters).map(([document]) => JSON.parse(document as string) as Keyed);
  }
  const [documents] = connection.row(`SELECT group_concat(document) FROM (${select})`, parameters) ?? [];
  return documents ? (JSON.parse(`[${documents as string}]`) as Keyed[]) : [];
}

/** What {@link readDocuments} binds, and how many documents it may expect. */
export interface Reading {
  readonly parameters: readonly SqlValue[];
  readonly limit: number;
}

/** The candidates that one statement answers. */
export function simpleCandidates({ connection, schema }: Tables, { condition, sort }: Query): Candidates {
  const source = chooseSource(schema, condition, sort);
  const where = whereSql(source, condition);
  const order = orderClause(source, sort);
  const rest = `${fromClause(source, true)} WHERE ${where.sql}${order ?? ''} LIMIT ? OFFSET ?`;
  return {
    matches: where.exact ? null : predicateOf({ kind: 'and', branches: openConditions(source, condition) }),
    ordered: order !== null,
    page: ({ limit, offset }, text = DOCUMENT) =>
      readDocuments(connection, `SELECT ${text} AS document ${rest}`, {
        parameters: [...where.parameters, limit, offset],
        limit,
      }),
  };
}
