import type { Collection, Filter, FindOptions, Keyed } from '../port.js';
import { conjuncts, parseFilter, type Condition } from '../language/conditions.js';
import { checkFindOptions, sortKeys } from '../language/options.js';
import { distinctValues, sortDocuments } from '../language/values.js';
import { branchesOf } from './branches.js';
import { EVERYTHING, pageOf, simpleCandidates } from './candidates.js';
import type { Candidates, Query, Tables, Window } from './candidates.js';
import { whereSql } from './filter-sql.js';
import { SQL_NULL_KEY } from './key-encoding.js';
import { mergedCandidates } from './merged-candidates.js';
import { projected } from './projected.js';
import { promised } from './promised.js';
import { readDocuments, wholeNumbers, type Selection } from './selection.js';
import { chooseSource, columnOf, fromClause } from './source.js';

/** How many candidates are looked at first when some may not match; each further look takes more. */
const FIRST_LOOK = 128;

const LARGEST_LOOK = 8192;

const FEW = 100;

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
    if (!exact || isWide(condition)) return this.all({ condition, sort: [] }).length;
    const [count] =
      connection.row(`SELECT count(*) ${fromClause(source, true)} WHERE ${sql}`, parameters) ?? [];
    return count as number;
  }

  private read(filter: Filter, options: FindOptions): Keyed[] {
    checkFindOptions(options);
    const query = { condition: parseFilter(filter), sort: sortKeys(options.sort) };
    const { limit = EVERYTHING, skip = 0, projection } = options;
    const window = { limit, offset: skip };
    const numbers = wholeNumbers(this.tables.schema, projection);
    const page = numbers === null ? null : this.exactPage(query, window, numbers);
    return page ?? projected(this.window(query, window), projection);
  }

  /** Null when SQL alone cannot tell what is on the page. */
  private exactPage(query: Query, window: Window, selection: Selection): Keyed[] | null {
    const { ordered, matches, read } = this.candidates(query, window);
    return ordered && matches === null ? read(window, selection) : null;
  }

  private window(query: Query, window: Window): Keyed[] {
    const key = keyAlone(query.condition);
    if (key !== null && window.offset === 0) return this.byKey(key);
    const candidates = this.candidates(query, window);
    if (candidates.ordered && candidates.matches === null) return pageOf(candidates, window);
    if (candidates.ordered && window.limit !== EVERYTHING) {
      return this.tables.connection.snapshot(() => look(candidates, window));
    }
    const documents = this.all(query);
    const sorted = candidates.ordered ? documents : sortDocuments(documents, query.sort);
    return window.limit === EVERYTHING
      ? sorted.slice(window.offset)
      : sorted.slice(window.offset, window.offset + window.limit);
  }

  private byKey(key: number | string): Keyed[] {
    const { connection, schema } = this.tables;
    const [document] = connection.row(`SELECT document FROM ${schema.table} WHERE id = ?`, [key]) ?? [];
    return document === undefined ? [] : [JSON.parse(document as string) as Keyed];
  }

  private candidates(query: Query, { limit }: Window): Candidates {
    const { condition, sort } = query;
    if ((limit !== EVERYTHING && sort.length > 0) || isWide(condition)) {
      const branches = branchesOf(this.tables.schema, condition, sort);
      const merged = branches.length === 1 ? null : mergedCandidates(this.tables, branches, query);
      if (merged) return merged;
    }
    return simpleCandidates(this.tables, query);
  }

  private all({ condition, sort }: Query): Keyed[] {
    const everything = { limit: EVERYTHING, offset: 0 };
    const wanted = this.candidates({ condition, sort }, everything);
    const candidates = wanted.ordered ? wanted : this.candidates({ condition, sort: [] }, everything);
    const documents = pageOf(candidates, everything);
    return candidates.matches ? documents.filter(candidates.matches) : documents;
  }

  /** A document for each key at an indexed path, all of those whose key may stand for null; null when there is no such column. */
  private onePerKey(path: string, condition: Condition): Keyed[] | null {
    const { connection, schema } = this.tables;
    const source = chooseSource(schema, condition, []);
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    const { sql, parameters, exact } = whereSql(source, condition);
    if (column === null || !exact) return null;
    const rows = `SELECT min(stored.row) ${fromClause(source, true)} WHERE ${sql} GROUP BY ${column}, CASE ${column} WHEN ${SQL_NULL_KEY} THEN stored.row END`;
    const from = `FROM ${schema.table} AS stored WHERE row IN (${rows})`;
    return readDocuments(connection, { from, parameters, limit: EVERYTHING });
  }
}

/** Whether a filter has more branches than SQLite's own planning of OR, which compares them pair by pair, is made for. */
function isWide(condition: Condition): boolean {
  return conjuncts(condition).some((one) => one.kind === 'or' && one.branches.length > FEW);
}

/** The key that a filter asks for and nothing else; else null. */
function keyAlone(condition: Condition): number | string | null {
  if (condition.kind !== 'equal' || condition.path !== '_id') return null;
  return typeof condition.value === 'number' || typeof condition.value === 'string' ? condition.value : null;
}

/** Looks at candidates in order until enough of them match. */
function look(candidates: Candidates, { limit, offset }: Window): Keyed[] {
  const found: Keyed[] = [];
  let window = { limit: Math.max(FIRST_LOOK, 2 * (limit + offset)), offset: 0 };
  for (;;) {
    const page = pageOf(candidates, window);
    for (const document of candidates.matches ? page.filter(candidates.matches) : page) found.push(document);
    if (page.length < window.limit || found.length >= offset + limit)
      return found.slice(offset, offset + limit);
    window = { limit: Math.min(window.limit * 4, LARGEST_LOOK), offset: window.offset + window.limit };
  }
}
