import { UnsupportedQueryError } from '../port.js';
import { fieldOf, isFields, type Fields } from '../language/documents.js';
import { compareScalars, isScalar } from '../language/order.js';
import type { UpdateStep } from '../language/updates.js';

function refuse(change: UpdateStep, found: string): never {
  throw new UnsupportedQueryError(
    `${change.operator} of ${change.parts.join('.')} finds ${found} in the document`,
  );
}

/** The object that contains the changed field, created if it is missing; null: there is none and none is needed. */
function holderOf(document: Fields, change: UpdateStep): Fields | null {
  const { operator, parts } = change;
  let holder = document;
  for (const part of parts.slice(0, -1)) {
    let inner = fieldOf(holder, part);
    if (inner === undefined) {
      if (operator === '$unset' || operator === '$pull') return null;
      holder[part] = inner = {};
    }
    if (!isFields(inner)) return operator === '$unset' ? null : refuse(change, 'no object');
    // Copied, because other documents may share it: see `defaults` of a collection.
    holder = holder[part] = { ...inner };
  }
  return holder;
}

function increased(change: UpdateStep, current: unknown): number {
  if (current === undefined) return change.value as number;
  if (typeof current !== 'number') return refuse(change, 'no number');
  return current + (change.value as number);
}

/** The lesser (sign 1) or greater (sign -1) of the present value and the given number, in sorting order. */
function extreme(change: UpdateStep, current: unknown, sign: 1 | -1): unknown {
  if (current === undefined) return change.value;
  if (!isScalar(current)) return refuse(change, 'no scalar');
  return compareScalars(current, change.value as number) * sign <= 0 ? current : change.value;
}

function arrayOf(change: UpdateStep, current: unknown): readonly unknown[] {
  if (current === undefined) return [];
  return Array.isArray(current) ? current : refuse(change, 'no array');
}

function sameValue(left: unknown, right: unknown): boolean {
  if (isScalar(left) || isScalar(right)) return left === right;
  // As in MongoDB, objects with their fields in another order are not equal.
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The changed field's new value; undefined: the field is removed. */
function changed(change: UpdateStep, current: unknown): unknown {
  const { operator, value } = change;
  switch (operator) {
    case '$set':
      return value;
    case '$unset':
      return undefined;
    case '$inc':
      return increased(change, current);
    case '$min':
      return extreme(change, current, 1);
    case '$max':
      return extreme(change, current, -1);
    case '$push':
      return [...arrayOf(change, current), value];
    case '$addToSet': {
      const array = arrayOf(change, current);
      return array.some((element) => sameValue(element, value)) ? array : [...array, value];
    }
    case '$pull': {
      if (current === undefined) return undefined;
      return arrayOf(change, current).filter((element) => element !== value);
    }
  }
}

/**
 * Applies an update to a document, in place.
 *
 * @throws {UnsupportedQueryError} when a change does not fit the document's shape.
 */
export function applyUpdate(document: Fields, changes: readonly UpdateStep[]): void {
  for (const change of changes) {
    const holder = holderOf(document, change);
    if (holder === null) continue;
    const name = change.parts.at(-1)!;
    const value = changed(change, fieldOf(holder, name));
    if (value === undefined) delete holder[name];
    else holder[name] = value;
  }
}
