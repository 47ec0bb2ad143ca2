import type { Operand } from '../port.js';
import type { Condition } from '../language/conditions.js';

/** No document meets it. */
const NEVER: Condition = { kind: 'or', branches: [] };

/**
 * A condition on documents whose keys are whole numbers, without what no such key can be: SQLite would compare the number of a row
 * with a text as if that were a number.
 */
export function ofIntegerKeys(condition: Condition): Condition {
  return isAboutOthers(condition) ? rewritten(condition) : condition;
}

function rewritten(condition: Condition): Condition {
  if ('branches' in condition) return { ...condition, branches: condition.branches.map(ofIntegerKeys) };
  if (condition.path !== '_id') return condition;
  if (condition.kind === 'in') return { ...condition, values: condition.values.filter(isWhole) };
  return NEVER;
}

/** Whether a key is asked to be what is no whole number. */
function isAboutOthers(condition: Condition): boolean {
  if ('branches' in condition) return condition.branches.some(isAboutOthers);
  if (condition.path !== '_id') return false;
  switch (condition.kind) {
    case 'equal':
      return Array.isArray(condition.value) || !isWhole(condition.value as Operand);
    case 'in':
      return !condition.values.every(isWhole);
    case 'compare':
      return typeof condition.bound !== 'number';
    case 'exists':
    case 'size':
      return false;
  }
}

function isWhole(value: Operand): boolean {
  return Number.isSafeInteger(value);
}
