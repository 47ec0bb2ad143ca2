import type {
  CollectionDefinition,
  Filter,
  IndexDefinition,
  PartialFilter,
} from '../../../src/stores/read-store/port.js';
import { isImplied } from '../../../src/stores/read-store/embedded/partial.js';
import { conjuncts, type Condition } from '../../../src/stores/read-store/language/conditions.js';
import { partialConditions } from '../../../src/stores/read-store/language/definitions.js';
import { parseReadFilter } from '../../../src/stores/read-store/language/terms.js';

/**
 * Whether, in each branch of a filter, the first field of a declared index is compared with values and what that index holds is
 * asked for: a server that chooses among its indexes by itself then has one for each branch.
 */
export function isServed(collection: CollectionDefinition, filter: Filter): boolean {
  const { termIndex } = collection;
  const terms: IndexDefinition[] = termIndex === undefined ? [] : [{ key: { [termIndex.path]: 1, _id: 1 } }];
  return serves([...collection.indexes, ...terms], conjuncts(parseReadFilter(filter, termIndex)));
}

function serves(indexes: readonly IndexDefinition[], conditions: readonly Condition[]): boolean {
  if (conditions.some((one) => namesValues(one, '_id'))) return true;
  const isLed = indexes.some(({ key, partialFilterExpression }) => {
    const [first = ''] = Object.keys(key);
    return conditions.some((one) => namesValues(one, first)) && holds(partialFilterExpression, conditions);
  });
  return isLed || conditions.some((one) => isServedByBranches(indexes, conditions, one));
}

function isServedByBranches(
  indexes: readonly IndexDefinition[],
  conditions: readonly Condition[],
  one: Condition,
): boolean {
  if (one.kind !== 'or') return false;
  const others = conditions.filter((other) => other !== one);
  return one.branches.every((branch) => serves(indexes, [...others, ...conjuncts(branch)]));
}

/** Equality with null leads to all that have nothing there. */
function namesValues(condition: Condition, path: string): boolean {
  if (condition.kind === 'equal') return condition.path === path && condition.value !== null;
  return condition.kind === 'in' && condition.path === path;
}

function holds(partial: PartialFilter | undefined, conditions: readonly Condition[]): boolean {
  if (partial === undefined) return true;
  return isImplied(partialConditions({ key: { _id: 1 }, partialFilterExpression: partial }), conditions);
}
