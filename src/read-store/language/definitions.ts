import { UnsupportedQueryError, type CollectionDefinition, type IndexDefinition } from '../port.js';
import { sortKeys, type SortKey } from './options.js';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const INDEX_PATH = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/;

function checkName(what: string, name: string): void {
  if (!NAME.test(name) || name.includes('__')) {
    throw new UnsupportedQueryError(
      `"${name}" cannot name a ${what}: letters, digits, hyphens and single underscores`,
    );
  }
}

/** Refuses what cannot name a model. */
export function checkModel(name: string, version: number): void {
  checkName('model', name);
  if (!Number.isSafeInteger(version) || version < 1)
    throw new UnsupportedQueryError('A version counts from 1');
}

function checkIndex(index: IndexDefinition): void {
  const paths = sortKeys(index.key).map((key) => key.path);
  const wrong = paths.find((path) => !INDEX_PATH.test(path));
  if (paths.length === 0 || wrong !== undefined)
    throw new UnsupportedQueryError(`"${wrong ?? ''}" cannot be indexed`);
  if (index.multikey === undefined) return;
  if (index.unique || !paths.includes(index.multikey)) {
    throw new UnsupportedQueryError('A multikey index is not unique and names one of its own paths');
  }
}

/** Refuses collections that no store could make. */
export function checkCollections(collections: readonly CollectionDefinition[]): void {
  for (const { name, indexes } of collections) {
    checkName('collection', name);
    indexes.forEach(checkIndex);
  }
}

/**
 * The keys that an index is made with. Every index that is not unique has the key of the document, so that a sort that ends
 * with it needs no sorting. What is declared behind it orders nothing, but is read from the index alone.
 */
export function indexKeys({ key, unique = false }: IndexDefinition): readonly SortKey[] {
  const keys = sortKeys(key);
  if (unique) return keys;
  if (keys.some(({ path }) => path === '_id')) return keys;
  return [...keys, { path: '_id', direction: keys.at(-1)?.direction ?? 1 }];
}
