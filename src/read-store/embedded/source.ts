import { conjuncts, type Condition } from '../language/conditions.js';
import type { SortKey } from '../language/options.js';
import type { CollectionSchema, MultikeyIndex } from './collection-schema.js';

/** The tables that a query reads from: the documents, behind a multikey index where one serves it. */
export interface Source {
  readonly schema: CollectionSchema;
  /** The multikey index that leads to the documents, as `entry`. */
  readonly index: MultikeyIndex | null;
}

/** SQL of the column that holds a path's scalar; null when there is none. */
export function columnOf({ schema, index }: Source, path: string): string | null {
  if (path === '_id') return index ? 'entry.id' : 'stored.id';
  const entry = index?.columns.find((column) => column.path === path);
  if (entry) return `entry.${entry.name}`;
  const column = schema.columns.get(path);
  return column ? `stored.${column.name}` : null;
}

/** SQL of the row number of the document. */
export function rowOf({ index }: Source): string {
  return index ? 'entry.row' : 'stored.row';
}

/** The multikey index that can tell which documents have a scalar at a path; undefined when there is none. */
export function membershipIndex({ schema }: Source, path: string): MultikeyIndex | undefined {
  return schema.multikeyIndexes.find(({ arrayPath, keys }) => arrayPath === path && keys[0]?.path === path);
}

/** The FROM clause; without the documents themselves where only the index is looked at. */
export function fromClause({ schema, index }: Source, documents: boolean): string {
  if (!index) return `FROM ${schema.table} AS stored`;
  const entries = `FROM ${index.table} AS entry`;
  return documents ? `${entries} CROSS JOIN ${schema.table} AS stored ON stored.row = entry.row` : entries;
}

/** The ORDER BY list, made definite by the key of the document; null when a path has no column to sort by. */
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

/** How many leading keys of an index are equated, if its array is among them; else 0. */
function usefulness(index: MultikeyIndex, equated: ReadonlySet<string>): number {
  const first = index.keys.findIndex(({ path }) => !equated.has(path));
  const prefix = first < 0 ? index.keys.length : first;
  return index.keys.slice(0, prefix).some(({ path }) => path === index.arrayPath) ? prefix : 0;
}

function sorts(index: MultikeyIndex, prefix: number, sort: readonly SortKey[]): boolean {
  return sort.every(({ path }, at) => index.keys[prefix + at]?.path === path);
}

/** Whether a condition is an equality with one scalar. */
export function isScalarEquality(condition: Condition): condition is Extract<Condition, { kind: 'equal' }> {
  return condition.kind === 'equal' && !Array.isArray(condition.value);
}

/** Chooses the tables that a conjunction is best answered from. */
export function chooseSource(
  schema: CollectionSchema,
  condition: Condition,
  sort: readonly SortKey[],
): Source {
  if (schema.multikeyIndexes.length === 0) return { schema, index: null };
  const equated = new Set(
    conjuncts(condition)
      .filter(isScalarEquality)
      .map(({ path }) => path),
  );
  let [best, most]: [MultikeyIndex | null, number] = [null, 0];
  for (const index of schema.multikeyIndexes) {
    const prefix = usefulness(index, equated);
    if (prefix > most || (prefix === most && prefix > 0 && sorts(index, prefix, sort)))
      [best, most] = [index, prefix];
  }
  return { schema, index: best };
}
