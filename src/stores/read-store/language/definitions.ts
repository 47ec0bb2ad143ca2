import { UnsupportedQueryError, type CollectionDefinition, type IndexDefinition } from '../port.js';
import { conjuncts, parseFilter, type Condition } from './conditions.js';
import { checkValue } from './documents.js';
import { isScalar } from './order.js';
import { sortKeys, type SortKey } from './options.js';

const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const indexFieldForm = /^[A-Za-z_][\w-]*$/;
const indexPathForm = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/;

function checkName(what: string, name: string): void {
  if (!nameForm.test(name) || name.includes('__')) {
    throw new UnsupportedQueryError(
      `"${name}" cannot name a ${what}: letters, digits, hyphens and single underscores`,
    );
  }
}

/** Refuses an invalid name or version of a model. */
export function checkModel(name: string, version: number): void {
  checkName('model', name);
  if (!Number.isSafeInteger(version) || version < 1)
    throw new UnsupportedQueryError('A version counts from 1');
}

function checkIndex(index: IndexDefinition): void {
  const paths = sortKeys(index.key).map((key) => key.path);
  const wrong = paths.find((path) => !indexPathForm.test(path));
  if (paths.length === 0 || wrong !== undefined)
    throw new UnsupportedQueryError(`"${wrong ?? ''}" cannot be indexed`);
  partialConditions(index);
  if (index.multikey === undefined) return;
  if (index.unique || !paths.includes(index.multikey)) {
    throw new UnsupportedQueryError('A multikey index is not unique and names one of its own paths');
  }
}

/** A condition of a partial index. */
export type PartialCondition = Extract<Condition, { readonly kind: 'equal' | 'compare' }>;

/**
 * The conditions of a partial index; empty: it contains all documents.
 *
 * @throws {UnsupportedQueryError} when its expression is outside of the documented subset.
 */
export function partialConditions({
  partialFilterExpression: expression,
  ...index
}: IndexDefinition): readonly PartialCondition[] {
  if (expression === undefined) return [];
  const conditions = conjuncts(parseFilter(expression)).map(partialCondition);
  const inside = conditions.some(({ path }) => !indexPathForm.test(path) || path === index.multikey);
  if (index.unique === true || inside || conditions.length === 0) {
    throw new UnsupportedQueryError(
      'A partial index is not unique, and asks something of fields that hold scalars',
    );
  }
  return conditions;
}

function partialCondition(condition: Condition): PartialCondition {
  if (condition.kind === 'compare') return condition;
  if (condition.kind === 'equal' && isScalar(condition.value) && condition.value !== null) return condition;
  throw new UnsupportedQueryError('A partial index equates fields with scalars, or compares them');
}

function checkTermIndex({ indexes, integerKeys, termIndex, defaults = {} }: CollectionDefinition): void {
  if (termIndex === undefined) return;
  const { path, of } = termIndex;
  const fields = [...indexes.flatMap(({ key }) => Object.keys(key)), ...Object.keys(defaults), of];
  if (integerKeys === true && indexFieldForm.test(path) && indexFieldForm.test(of) && !fields.includes(path))
    return;
  throw new UnsupportedQueryError(
    'A term index has a field of its own, and its documents whole numbers as keys',
  );
}

function checkDefaults({ defaults = {} }: CollectionDefinition): void {
  checkValue(defaults);
  if ('_id' in defaults || Object.values(defaults).includes(undefined))
    throw new UnsupportedQueryError('A default is the value of a field, and no key');
}

/** Refuses collections that no store could create. */
export function checkCollections(collections: readonly CollectionDefinition[]): void {
  for (const definition of collections) {
    checkName('collection', definition.name);
    definition.indexes.forEach(checkIndex);
    checkTermIndex(definition);
    checkDefaults(definition);
  }
}

/**
 * The keys that an index is created with. A non-unique index also has the document's key, so that a sort that ends with it needs no
 * sorting. Keys declared after it do not order anything, but can be read from the index alone.
 */
export function indexKeys({ key, unique = false }: IndexDefinition): readonly SortKey[] {
  const keys = sortKeys(key);
  if (unique) return keys;
  if (keys.some(({ path }) => path === '_id')) return keys;
  return [...keys, { path: '_id', direction: keys.at(-1)?.direction ?? 1 }];
}
