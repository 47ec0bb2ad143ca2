import { UnsupportedQueryError, type Document } from '../port.js';
import type { Comparator, Comparison, Condition } from '../language/conditions.js';
import { fieldOf, isFields, pathParts } from '../language/documents.js';
import { compareStrings } from '../language/order.js';

/** Whether a document matches. */
export type Predicate = (document: Document) => boolean;

type ValueTest = (value: unknown) => boolean;

const DIGITS = /^\d+$/;

function refusePlaces(part: string): void {
  if (DIGITS.test(part)) throw new UnsupportedQueryError(`A path cannot name place ${part} of an array`);
}

/**
 * Whether a test holds of any value that a path leads to; undefined stands for a missing field. At the end of a path an array is its
 * elements and itself; on the way its objects are gone through and other elements passed over.
 */
function someValue(value: unknown, parts: readonly string[], test: ValueTest, at = 0): boolean {
  const part = parts[at];
  if (part === undefined) return Array.isArray(value) ? value.some(test) || test(value) : test(value);
  if (!Array.isArray(value)) {
    return someValue(isFields(value) ? fieldOf(value, part) : undefined, parts, test, at + 1);
  }
  refusePlaces(part);
  return value.some((element) => isFields(element) && someValue(element, parts, test, at));
}

/** As {@link someValue}, with arrays at the end of the path as they are. */
function someWhole(value: unknown, parts: readonly string[], test: ValueTest): boolean {
  const isLeafArray = (found: unknown): boolean => Array.isArray(found) && test(found);
  return someValue(value, parts, isLeafArray);
}

function equalTest(expected: unknown): ValueTest {
  if (expected === null) return (value) => value === null || value === undefined;
  if (!Array.isArray(expected)) return (value) => value === expected;
  return (value) =>
    Array.isArray(value) &&
    value.length === expected.length &&
    value.every((element, index) => element === expected[index]);
}

function inOrder(difference: number, comparator: Comparator): boolean {
  switch (comparator) {
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
  }
}

function comparisonTest({ comparator, bound }: Comparison): ValueTest {
  if (typeof bound === 'number') {
    return (value) => typeof value === 'number' && inOrder(value - bound, comparator);
  }
  return (value) => typeof value === 'string' && inOrder(compareStrings(value, bound), comparator);
}

function inTest(values: readonly unknown[]): ValueTest {
  const set = new Set(values);
  if (!set.has(null)) return (value) => set.has(value);
  return (value) => value === undefined || set.has(value);
}

/** Makes the test that a condition stands for: the whole language, exactly. */
export function predicateOf(condition: Condition): Predicate {
  switch (condition.kind) {
    case 'and': {
      const branches = condition.branches.map(predicateOf);
      return (document) => branches.every((holds) => holds(document));
    }
    case 'or': {
      const branches = condition.branches.map(predicateOf);
      return (document) => branches.some((holds) => holds(document));
    }
    case 'nor': {
      const branches = condition.branches.map(predicateOf);
      return (document) => !branches.some((holds) => holds(document));
    }
    default:
      return fieldPredicate(condition);
  }
}

type FieldConditions = Exclude<Condition, { readonly kind: 'and' | 'or' | 'nor' }>;

function fieldPredicate(condition: FieldConditions): Predicate {
  const parts = pathParts(condition.path);
  switch (condition.kind) {
    case 'equal':
      return someMatching(parts, equalTest(condition.value));
    case 'in':
      return someMatching(parts, inTest(condition.values));
    case 'compare':
      return someMatching(parts, comparisonTest(condition));
    case 'exists': {
      const { present } = condition;
      return (document) => someValue(document, parts, (value) => value !== undefined) === present;
    }
    case 'size': {
      const { size } = condition;
      return (document) => someWhole(document, parts, (value) => (value as unknown[]).length === size);
    }
  }
}

function someMatching(parts: readonly string[], test: ValueTest): Predicate {
  return (document) => someValue(document, parts, test);
}
