import type { Operand } from '../port.js';
import type { Condition } from '../language/conditions.js';

/** A condition that no document meets. */
const neverTrue: Condition = { kind: 'or', branches: [] };

/** A condition on documents with integer keys, without comparisons that no integer meets: SQLite would otherwise convert texts to numbers. */
export function ofIntegerKeys(condition: Condition): Condition {
  return needsOtherKey(condition) ? rewritten(condition) : condition;
}

function rewritten(condition: Condition): Condition {
  if ('branches' in condition) return { ...condition, branches: condition.branches.map(ofIntegerKeys) };
  if (condition.path !== '_id') return condition;
  if (condition.kind === 'in') return { ...condition, values: condition.values.filter(isWhole) };
  return neverTrue;
}

/** Whether a condition requires a key that is not an integer. */
function needsOtherKey(condition: Condition): boolean {
  if ('branches' in condition) return condition.branches.some(needsOtherKey);
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
