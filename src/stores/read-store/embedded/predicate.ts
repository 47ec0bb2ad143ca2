import { UnsupportedQueryError, type Document } from '../port.js';
import type { Comparator, Comparison, Condition } from '../language/conditions.js';
import { fieldOf, isFields, pathParts } from '../language/documents.js';
import { compareStrings } from '../language/order.js';

/** Whether a document matches. */
export type Predicate = (document: Document) => boolean;

type ValueTest = (value: unknown) => boolean;

/** A part of a path, and the next one. */
interface Step {
  readonly part: string;
  readonly rest: Step | null;
}

const onlyDigits = /^\d+$/;

function stepsOf(path: string): Step | null {
  return pathParts(path).reduceRight<Step | null>((rest, part) => ({ part, rest }), null);
}

/**
 * Whether a test is true of any value that a path leads to; undefined: the field is missing. At the end of a path, an array stands for its
 * elements and for itself. Before the end, the path continues in the array's objects, and other elements are skipped.
 */
function someValue(value: unknown, step: Step | null, test: ValueTest): boolean {
  if (step === null) return Array.isArray(value) ? value.some(test) || test(value) : test(value);
  if (!Array.isArray(value)) {
    return someValue(isFields(value) ? fieldOf(value, step.part) : undefined, step.rest, test);
  }
  if (onlyDigits.test(step.part)) {
    throw new UnsupportedQueryError(`A path cannot name place ${step.part} of an array`);
  }
  return value.some((element) => isFields(element) && someValue(element, step, test));
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

/** The exact test of a condition, for the complete language. */
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
  const steps = stepsOf(condition.path);
  switch (condition.kind) {
    case 'equal':
      return someMatching(steps, equalTest(condition.value));
    case 'in':
      return someMatching(steps, inTest(condition.values));
    case 'compare':
      return someMatching(steps, comparisonTest(condition));
    case 'exists': {
      const { present } = condition;
      return (document) => someValue(document, steps, (value) => value !== undefined) === present;
    }
    case 'size': {
      const { size } = condition;
      return someMatching(steps, (value) => Array.isArray(value) && value.length === size);
    }
  }
}

function someMatching(steps: Step | null, test: ValueTest): Predicate {
  return (document) => someValue(document, steps, test);
}
