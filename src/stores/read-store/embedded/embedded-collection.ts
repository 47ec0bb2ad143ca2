import type { Collection, Filter, FindOptions, Keyed } from '../port.js';
import { conjuncts, type Condition } from '../language/conditions.js';
import { checkFindOptions, sortKeys } from '../language/options.js';
import { checkTermOptions, parseReadFilter } from '../language/terms.js';
import { distinctValues, sortDocuments } from '../language/values.js';
import { branchesOf } from './branches.js';
import {
  EVERYTHING,
  keyedCandidates,
  pageOf,
  simpleCandidates,
  type Candidates,
  type Query,
  type Window,
} from './candidates.js';
import { keyValue, type CollectionSchema } from './collection-schema.js';
import { whereSql } from './filter-sql.js';
import { ofIntegerKeys } from './integer-keys.js';
import { SQL_NULL_KEY } from './key-encoding.js';
import { mergedCandidates } from './merged-candidates.js';
import { projected } from './projected.js';
import type { RowReader } from './row-reader.js';
import { isLarge, readDocuments, someFields, wholeNumbers, type Selection } from './selection.js';
import { chooseSource, columnOf, fromClause } from './source.js';

/** How many candidates are read first if some may not match; each further read takes more. */
const FIRST_WINDOW = 128;

const MAX_WINDOW = 8192;

const FEW = 100;

/** How a collection's documents are read. */
interface ReadTables {
  readonly reader: RowReader;
  readonly schema: CollectionSchema;
}

/** A collection in SQLite tables. */
export class EmbeddedCollection<D extends Keyed> implements Collection<D> {
  constructor(private readonly tables: ReadTables) {}

  async findOne(filter: Filter, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    const [first] = await this.read(filter, { ...options, limit: 1 });
    return (first as D | undefined) ?? null;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<D[]> {
    return (await this.read(filter, options)) as D[];
  }

  async countDocuments(filter: Filter): Promise<number> {
    return this.count(this.parsed(filter));
  }

  async distinct(path: string, filter: Filter): Promise<unknown[]> {
    checkTermOptions({ sort: { [path]: 1 } }, this.tables.schema.termIndex?.definition);
    const condition = this.parsed(filter);
    const documents = (await this.onePerKey(path, condition)) ?? (await this.all({ condition, sort: [] }));
    return distinctValues(documents, path);
  }

  private parsed(filter: Filter): Condition {
    const { key, termIndex } = this.tables.schema;
    const condition = parseReadFilter(filter, termIndex?.definition);
    return key === 'row' ? ofIntegerKeys(condition) : condition;
  }

  private async count(condition: Condition): Promise<number> {
    const { reader, schema } = this.tables;
    const source = chooseSource(schema, condition, []);
    const { sql, parameters, exact } = whereSql(source, condition);
    if (!exact || isWide(condition)) return (await this.all({ condition, sort: [] })).length;
    const select = `SELECT count(*) ${fromClause(source, true)} WHERE ${sql}`;
    const [count] = (await reader.row(select, parameters)) ?? [];
    reader.noteRows(count as number);
    return count as number;
  }

  private async read(filter: Filter, options: FindOptions): Promise<Keyed[]> {
    checkFindOptions(options);
    checkTermOptions(options, this.tables.schema.termIndex?.definition);
    const query = { condition: this.parsed(filter), sort: sortKeys(options.sort) };
    const { limit = EVERYTHING, skip = 0, projection } = options;
    const window = { limit, offset: skip };
    const selections = [
      wholeNumbers(this.tables.schema, projection),
      isLarge(window) ? someFields(projection) : null,
    ];
    for (const selection of selections) {
      const page = selection === null ? null : await this.exactPage(query, window, selection);
      if (page !== null) return page;
    }
    return projected(await this.window(query, window), projection);
  }

  /** Null: SQL alone cannot decide what is on the page. */
  private async exactPage(query: Query, window: Window, selection: Selection): Promise<Keyed[] | null> {
    const { ordered, matches, read } = this.candidates(query, window);
    return ordered && matches === null ? read(this.tables.reader, window, selection) : null;
  }

  private async window(query: Query, window: Window): Promise<Keyed[]> {
    const { reader } = this.tables;
    const key = keyAlone(query.condition);
    if (key !== null && window.offset === 0) return this.byKey(key);
    const candidates = this.candidates(query, window);
    if (candidates.ordered && candidates.matches === null) return pageOf(reader, candidates, window);
    if (candidates.ordered && window.limit !== EVERYTHING) {
      return reader.snapshot((within) => matching(within, candidates, window));
    }
    const documents = await this.all(query);
    const sorted = candidates.ordered ? documents : sortDocuments(documents, query.sort);
    return window.limit === EVERYTHING
      ? sorted.slice(window.offset)
      : sorted.slice(window.offset, window.offset + window.limit);
  }

  private async byKey(key: number | string): Promise<Keyed[]> {
    const { reader, schema } = this.tables;
    const select = `SELECT document FROM ${schema.table} WHERE ${schema.key} = ?`;
    const [document] = (await reader.row(select, [keyValue(schema, key)])) ?? [];
    if (document !== undefined) reader.noteRows(1);
    return document === undefined ? [] : [schema.text.read(document as string)];
  }

  private candidates(query: Query, { limit }: Window): Candidates {
    const { schema } = this.tables;
    const { condition, sort } = query;
    const keyed = keyedCandidates(schema, query);
    if (keyed !== null) return keyed;
    if ((limit !== EVERYTHING && sort.length > 0) || isWide(condition)) {
      const branches = branchesOf(schema, condition, sort);
      const merged = branches.length === 1 ? null : mergedCandidates(schema, branches, query);
      if (merged) return merged;
    }
    return simpleCandidates(schema, query);
  }

  private async all({ condition, sort }: Query): Promise<Keyed[]> {
    const everything = { limit: EVERYTHING, offset: 0 };
    const wanted = this.candidates({ condition, sort }, everything);
    const candidates = wanted.ordered ? wanted : this.candidates({ condition, sort: [] }, everything);
    const documents = await pageOf(this.tables.reader, candidates, everything);
    return candidates.matches ? documents.filter(candidates.matches) : documents;
  }

  /** One document for each value of an indexed path, and all documents whose value may stand for null; null: there is no such column. */
  private async onePerKey(path: string, condition: Condition): Promise<Keyed[] | null> {
    const { reader, schema } = this.tables;
    const source = chooseSource(schema, condition, []);
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    const { sql, parameters, exact } = whereSql(source, condition);
    if (column === null || !exact) return null;
    const rows = `SELECT min(stored.row) ${fromClause(source, true)} WHERE ${sql} GROUP BY ${column}, CASE ${column} WHEN ${SQL_NULL_KEY} THEN stored.row END`;
    const from = `FROM ${schema.table} AS stored WHERE row IN (${rows})`;
    return readDocuments(reader, { schema, from, parameters, limit: EVERYTHING });
  }
}

/** Whether a filter has more branches than SQLite's own planning of OR can handle, which compares them pairwise. */
function isWide(condition: Condition): boolean {
  return conjuncts(condition).some((one) => one.kind === 'or' && one.branches.length > FEW);
}

/** The key, if a filter asks for nothing else; else null. */
function keyAlone(condition: Condition): number | string | null {
  if (condition.kind !== 'equal' || condition.path !== '_id') return null;
  return typeof condition.value === 'number' || typeof condition.value === 'string' ? condition.value : null;
}

/** Reads candidates in order until enough of them match. */
async function matching(
  reader: RowReader,
  candidates: Candidates,
  { limit, offset }: Window,
): Promise<Keyed[]> {
  const found: Keyed[] = [];
  let window = { limit: Math.max(FIRST_WINDOW, 2 * (limit + offset)), offset: 0 };
  for (;;) {
    const page = await pageOf(reader, candidates, window);
    for (const document of candidates.matches ? page.filter(candidates.matches) : page) found.push(document);
    if (page.length < window.limit || found.length >= offset + limit)
      return found.slice(offset, offset + limit);
    window = { limit: Math.min(window.limit * 4, MAX_WINDOW), offset: window.offset + window.limit };
  }
}
