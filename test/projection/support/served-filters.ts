import type {
  CollectionDefinition,
  Filter,
  IndexDefinition,
  PartialFilter,
  Sort,
} from '../../../src/stores/read-store/port.js';
import { isImplied } from '../../../src/stores/read-store/embedded/partial.js';
import { conjuncts, type Condition } from '../../../src/stores/read-store/language/conditions.js';
import { partialConditions } from '../../../src/stores/read-store/language/definitions.js';
import { parseReadFilter } from '../../../src/stores/read-store/language/terms.js';

/** The declared indexes of a collection, and the fields that a query sorts by. */
interface Declared {
  readonly indexes: readonly IndexDefinition[];
  readonly sort: readonly string[];
}

/**
 * Whether, in each branch of a filter, the first fields of a declared index are compared with values, its next ones are those that the
 * query sorts by, and what that index holds is asked for: a server that chooses among its indexes by itself then has one for each branch,
 * and need not sort in memory.
 */
export function isServed(collection: CollectionDefinition, filter: Filter, sort: Sort = {}): boolean {
  const { termIndex } = collection;
  const terms: IndexDefinition[] = termIndex === undefined ? [] : [{ key: { [termIndex.path]: 1, _id: 1 } }];
  const declared = { indexes: [...collection.indexes, ...terms], sort: Object.keys(sort) };
  return serves(declared, conjuncts(parseReadFilter(filter, termIndex)));
}

function serves(declared: Declared, conditions: readonly Condition[]): boolean {
  if (conditions.some((one) => namesValues(one, '_id'))) return true;
  const isLed = declared.indexes.some(
    (index) => leads(index, declared.sort, conditions) && holds(index.partialFilterExpression, conditions),
  );
  return isLed || conditions.some((one) => isServedByBranches(declared, conditions, one));
}

/** Whether an index leads to what is asked for, and in the order of the fields that are sorted by. */
function leads({ key }: IndexDefinition, sort: readonly string[], conditions: readonly Condition[]): boolean {
  const [first = '', ...others] = Object.keys(key);
  if (!conditions.some((one) => namesValues(one, first))) return false;
  const open = others.findIndex((field) => !conditions.some((one) => isFixed(one, field)));
  return sort.every((field, at) => open >= 0 && others[open + at] === field);
}

function isServedByBranches(declared: Declared, conditions: readonly Condition[], one: Condition): boolean {
  if (one.kind !== 'or') return false;
  const others = conditions.filter((other) => other !== one);
  return one.branches.every((branch) => serves(declared, [...others, ...conjuncts(branch)]));
}

/** Equality with null leads to all that have nothing there. */
function namesValues(condition: Condition, path: string): boolean {
  return isFixed(condition, path) && !(condition.kind === 'equal' && condition.value === null);
}

/** Whether a field has one of a few values, null included: behind it, an index is in order. */
function isFixed(condition: Condition, path: string): boolean {
  return (condition.kind === 'equal' || condition.kind === 'in') && condition.path === path;
}

function holds(partial: PartialFilter | undefined, conditions: readonly Condition[]): boolean {
  if (partial === undefined) return true;
  return isImplied(partialConditions({ key: { _id: 1 }, partialFilterExpression: partial }), conditions);
}
