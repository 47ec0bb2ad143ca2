import type { Collection, Filter, FindOptions, Keyed } from '../port.js';
import { parseFilter, type Condition } from '../language/conditions.js';
import { checkFindOptions, sortKeys } from '../language/options.js';
import { distinctValues, sortDocuments } from '../language/values.js';
import { branchesOf } from './branches.js';
import { EVERYTHING, readDocuments, simpleCandidates } from './candidates.js';
import type { Candidates, Query, Tables, Window } from './candidates.js';
import { whereSql } from './filter-sql.js';
import { SQL_NULL_KEY } from './key-encoding.js';
import { mergedCandidates } from './merged-candidates.js';
import { predicateOf } from './predicate.js';
import { projected } from './projected.js';
import { promised } from './promised.js';
import { chooseSource, columnOf, fromClause } from './source.js';

/** How many candidates are looked at first when some may not match; each further look takes four times as many. */
const FIRST_LOOK = 128;

/** A collection in SQLite tables. */
export class EmbeddedCollection<D extends Keyed> implements Collection<D> {
  constructor(private readonly tables: Tables) {}

  findOne(filter: Filter, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    return promised(() => (this.read(filter, { ...options, limit: 1 })[0] as D | undefined) ?? null);
  }

  find(filter: Filter, options: FindOptions = {}): Promise<D[]> {
    return promised(() => this.read(filter, options) as D[]);
  }

  countDocuments(filter: Filter): Promise<number> {
    return promised(() => this.count(parseFilter(filter)));
  }

  distinct(path: string, filter: Filter): Promise<unknown[]> {
    return promised(() => {
      const condition = parseFilter(filter);
      return distinctValues(this.onePerKey(path, condition) ?? this.all({ condition, sort: [] }), path);
    });
  }

  private count(condition: Condition): number {
    const { connection, schema } = this.tables;
    const source = chooseSource(schema, condition, []);
    const { sql, parameters, exact } = whereSql(source, condition);
    if (!exact) return this.all({ condition, sort: [] }).length;
    const [count] =
      connection.row(`SELECT count(*) ${fromClause(source, true)} WHERE ${sql}`, parameters) ?? [];
    return count as number;
  }

  private read(filter: Filter, options: FindOptions): Keyed[] {
    checkFindOptions(options);
    const query = { condition: parseFilter(filter), sort: sortKeys(options.sort) };
    const { limit = EVERYTHING, skip = 0 } = options;
    return projected(this.window(query, { limit, offset: skip }), options.projection);
  }

  private window(query: Query, window: Window): Keyed[] {
    const candidates = this.candidates(query, window);
    if (candidates.ordered && candidates.exact) return candidates.page(window);
    if (candidates.ordered && window.limit !== EVERYTHING) {
      return this.tables.connection.snapshot(() => this.look(candidates, query, window));
    }
    const documents = this.all(query);
    const sorted = candidates.ordered ? documents : sortDocuments(documents, query.sort);
    return window.limit === EVERYTHING
      ? sorted.slice(window.offset)
      : sorted.slice(window.offset, window.offset + window.limit);
  }

  private candidates({ condition, sort }: Query, { limit }: Window): Candidates {
    if (limit !== EVERYTHING && sort.length > 0) {
      const branches = branchesOf(this.tables.schema, condition, sort);
      const merged = branches.length === 1 ? null : mergedCandidates(this.tables, branches, sort);
      if (merged) return merged;
    }
    return simpleCandidates(this.tables, { condition, sort });
  }

  /** Looks at candidates in order until enough of them match. */
  private look(candidates: Candidates, { condition }: Query, { limit, offset }: Window): Keyed[] {
    const matches = predicateOf(condition);
    const found: Keyed[] = [];
    let window = { limit: Math.max(FIRST_LOOK, 2 * (limit + offset)), offset: 0 };
    for (;;) {
      const page = candidates.page(window);
      for (const document of page) if (matches(document)) found.push(document);
      if (page.length < window.limit || found.length >= offset + limit)
        return found.slice(offset, offset + limit);
      window = { limit: window.limit * 4, offset: window.offset + window.limit };
    }
  }

  private all(query: Query): Keyed[] {
    const candidates = simpleCandidates(this.tables, query);
    const documents = candidates.page({ limit: EVERYTHING, offset: 0 });
    return candidates.exact ? documents : documents.filter(predicateOf(query.condition));
  }

  /** A document for each key at an indexed path, all of those whose key may stand for null; null when there is no such column. */
  private onePerKey(path: string, condition: Condition): Keyed[] | null {
    const { connection, schema } = this.tables;
    const source = chooseSource(schema, condition, []);
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    const { sql, parameters, exact } = whereSql(source, condition);
    if (column === null || !exact) return null;
    const rows = `SELECT min(stored.row) ${fromClause(source, true)} WHERE ${sql} GROUP BY ${column}, CASE ${column} WHEN ${SQL_NULL_KEY} THEN stored.row END`;
    const select = `SELECT document FROM ${schema.table} WHERE row IN (${rows})`;
    return readDocuments(connection, select, { parameters, limit: EVERYTHING });
  }
}
