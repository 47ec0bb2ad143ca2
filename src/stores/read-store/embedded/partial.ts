import type { Operand } from '../port.js';
import type { Condition } from '../language/conditions.js';
import type { PartialCondition } from '../language/definitions.js';
import { isScalar } from '../language/order.js';
import { bracket } from './key-encoding.js';
import { predicateOf } from './predicate.js';

/** A scalar as an SQL literal in the form of a key column. SQLite only uses a partial index if the query's text matches the index's. */
function literal(value: Operand): string {
  if (typeof value === 'string') return `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`;
  if (typeof value === 'boolean') return value ? "x'01'" : "x'00'";
  return String(value);
}

/** SQL of the conditions of a partial index, without parameters, given the quoted names of their key columns. */
export function partialSql(
  conditions: readonly PartialCondition[],
  column: (path: string) => string,
): string {
  return conditions.map((condition) => conditionSql(condition, column(condition.path))).join(' AND ');
}

function conditionSql(condition: PartialCondition, column: string): string {
  if (condition.kind === 'compare') {
    const { comparator, bound } = condition;
    return `${column} ${comparator} ${literal(bound)} AND ${bracket(column, condition)}`;
  }
  return `${column} = ${literal(condition.value as Operand)}`;
}

/** Whether a conjunction implies that a document is in a partial index. */
export function isImplied(partial: readonly PartialCondition[], branch: readonly Condition[]): boolean {
  return partial.every((wanted) => branch.some((one) => implies(one, wanted)));
}

/** Whether every scalar that meets one condition also meets the other. */
function implies(condition: Condition, wanted: PartialCondition): boolean {
  if (!('path' in condition) || condition.path !== wanted.path) return false;
  switch (condition.kind) {
    case 'equal':
      return isScalar(condition.value) && meets(condition.value, wanted);
    case 'in':
      return condition.values.every((value) => meets(value, wanted));
    case 'compare':
      return (
        wanted.kind === 'compare' &&
        wanted.comparator === condition.comparator &&
        wanted.bound === condition.bound
      );
    case 'exists':
    case 'size':
      return false;
  }
}

/** Whether a condition is one of a partial index's own conditions. */
export function isRestated(partial: readonly PartialCondition[], condition: Condition): boolean {
  if (condition.kind !== 'equal') return false;
  return partial.some(
    (one) => one.kind === 'equal' && one.path === condition.path && one.value === condition.value,
  );
}

function meets(value: Operand, wanted: PartialCondition): boolean {
  return predicateOf({ ...wanted, path: 'value' })({ value });
}
