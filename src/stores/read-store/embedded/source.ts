import { conjuncts, type Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import {
  columnName,
  type CollectionSchema,
  type MultikeyIndex,
  type ScalarIndex,
} from './collection-schema.js';
import { isImplied, partialSql } from './partial.js';

/** The tables that a query reads: the documents, and optionally an index that leads to them. */
export interface Source {
  readonly schema: CollectionSchema;
  /** The multikey index that leads to the documents, as `entry`. */
  readonly index: MultikeyIndex | null;
  /** The partial index on the documents' own columns that leads to them; never together with a multikey index. */
  readonly partial: ScalarIndex | null;
  /** Whether the index of terms leads to the documents, as `entry`; never together with another index. */
  readonly byTerms: boolean;
}

/** The documents alone: SQLite chooses the index. */
export function plainSource(schema: CollectionSchema): Source {
  return { schema, index: null, partial: null, byTerms: false };
}

/** SQL of the column for a path's scalar; null: there is none. */
export function columnOf({ schema, index, byTerms }: Source, path: string): string | null {
  if (path === '_id' && byTerms) return 'entry.rowid';
  if (path === '_id') return index ? `entry.${schema.key}` : `stored.${schema.key}`;
  const entry = index?.columns.find((column) => column.path === path);
  if (entry) return `entry.${entry.name}`;
  const column = schema.columns.get(path);
  return column ? `stored.${column.name}` : null;
}

/** SQL of the document's row number. */
export function rowOf({ index, byTerms }: Source): string {
  if (byTerms) return 'entry.rowid';
  return index ? 'entry.row' : 'stored.row';
}

/** The multikey index that decides which documents have a scalar at a path; undefined: there is none. */
export function membershipIndex({ schema }: Source, path: string): MultikeyIndex | undefined {
  return schema.multikeyIndexes.find(
    ({ arrayPath, keys, partial }) => arrayPath === path && keys[0]?.path === path && partial.length === 0,
  );
}

/** The FROM clause, without the documents if only the index is read. */
export function fromClause({ schema, index, partial, byTerms }: Source, documents: boolean): string {
  if (byTerms && schema.termIndex)
    return `FROM ${schema.termIndex.table} AS entry CROSS JOIN ${schema.table} AS stored ON stored.row = entry.rowid`;
  if (partial) return `FROM ${schema.table} AS stored INDEXED BY ${partial.name}`;
  if (!index) return `FROM ${schema.table} AS stored`;
  const entries = `FROM ${index.table} AS entry`;
  return documents ? `${entries} CROSS JOIN ${schema.table} AS stored ON stored.row = entry.row` : entries;
}

/** The ORDER BY list, with the document's key at the end to make it unambiguous; null: a path has no column to sort by. */
export function orderClause(source: Source, sort: readonly SortKey[]): string | null {
  if (sort.length === 0) return '';
  const keys = sort.some(({ path }) => path === '_id')
    ? sort
    : [...sort, { path: '_id', direction: sort.at(-1)!.direction }];
  const terms: string[] = [];
  for (const { path, direction } of keys) {
    const column = path === source.index?.arrayPath ? null : columnOf(source, path);
    if (column === null) return null;
    terms.push(direction === 1 ? column : `${column} DESC`);
  }
  return ` ORDER BY ${terms.join(', ')}`;
}

/** SQL by which SQLite recognises that the partial index can be used; null: there is no such index. */
export function partialClause({ schema, partial }: Source): string | null {
  return partial && partialSql(partial.partial, (path) => `stored.${columnName(schema, path)}`);
}

/** How many leading keys of an index have equalities. */
function prefixOf({ keys }: Pick<ScalarIndex, 'keys'>, equated: ReadonlySet<string>): number {
  const first = keys.findIndex(({ path }) => !equated.has(path));
  return first < 0 ? keys.length : first;
}

function sorts({ keys }: Pick<ScalarIndex, 'keys'>, prefix: number, sort: readonly SortKey[]): boolean {
  return sort.every(({ path }, at) => keys[prefix + at]?.path === path);
}

/** Whether a condition is an equality of a multikey index's array with a scalar that has entries: null has none. */
export function leadsInto(index: MultikeyIndex, condition: Condition): boolean {
  return isScalarEquality(condition) && condition.path === index.arrayPath && condition.value !== null;
}

/** The term that a condition requires; null: the condition is not about a term. */
export function termOfCondition({ termIndex }: CollectionSchema, condition: Condition): string | null {
  if (condition.kind !== 'equal' || condition.path !== termIndex?.definition.path) return null;
  return typeof condition.value === 'string' ? condition.value : null;
}

/** Whether a condition is an equality with one scalar. */
export function isScalarEquality(condition: Condition): condition is Extract<Condition, { kind: 'equal' }> {
  return condition.kind === 'equal' && !Array.isArray(condition.value);
}

/** An index that could be used, and its weight. */
interface Candidate {
  readonly source: Source;
  /** How many of its leading keys have equalities; a partial index, which contains few documents, counts as one more. */
  readonly weight: number;
  readonly sorts: boolean;
}

/** A multikey index is only used for an equality with its array: other conditions would find a document several times. */
function candidatesOf(
  schema: CollectionSchema,
  conditions: readonly Condition[],
  sort: readonly SortKey[],
): readonly Candidate[] {
  const equalities = conditions.filter(isScalarEquality);
  const equated = new Set(equalities.map(({ path }) => path));
  const candidates: Candidate[] = [];
  for (const index of schema.multikeyIndexes) {
    const prefix = prefixOf(index, equated);
    const leads = index.keys.slice(0, prefix).some(({ path }) => path === index.arrayPath);
    if (!leads || !equalities.some((one) => leadsInto(index, one)) || !isImplied(index.partial, conditions))
      continue;
    const weight = prefix + Number(index.partial.length > 0);
    const source: Source = { ...plainSource(schema), index };
    candidates.push({ source, weight, sorts: sorts(index, prefix, sort) });
  }
  for (const partial of schema.indexes) {
    if (partial.partial.length === 0 || !isImplied(partial.partial, conditions)) continue;
    const prefix = prefixOf(partial, equated);
    const inOrder = sorts(partial, prefix, sort);
    if (prefix === 0 && !(inOrder && sort.length > 0)) continue;
    const source: Source = { ...plainSource(schema), partial };
    candidates.push({ source, weight: prefix + 1, sorts: inOrder });
  }
  if (conditions.some((one) => termOfCondition(schema, one) !== null)) {
    const inOrder = sort.every(({ path }) => path === '_id');
    candidates.push({ source: { ...plainSource(schema), byTerms: true }, weight: 2, sorts: inOrder });
  }
  return candidates;
}

/** Chooses the tables for a conjunction: a multikey or a partial index if one fits; else SQLite chooses among the others. */
export function chooseSource(
  schema: CollectionSchema,
  condition: Condition,
  sort: readonly SortKey[],
): Source {
  let best: Candidate = { source: plainSource(schema), weight: 0, sorts: false };
  for (const candidate of candidatesOf(schema, conjuncts(condition), sort)) {
    if (candidate.weight < best.weight || (candidate.weight === best.weight && best.sorts)) continue;
    if (candidate.weight > best.weight || candidate.sorts) best = candidate;
  }
  return best.source;
}
