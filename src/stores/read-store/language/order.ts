import type { Operand } from '../port.js';

/** The rank of a type in MongoDB's order: null, numbers, strings, booleans. */
function rank(value: Operand): number {
  if (value === null) return 0;
  if (typeof value === 'number') return 1;
  return typeof value === 'string' ? 2 : 3;
}

/** Moves surrogates above the rest of the Basic Multilingual Plane, so that code units compare like their code points. */
function liftSurrogate(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** Compares by code point, like the bytes of UTF-8; JavaScript's operators compare UTF-16 code units. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return liftSurrogate(a) - liftSurrogate(b);
  }
  return left.length - right.length;
}

/** Compares two scalars in MongoDB's sorting order. */
export function compareScalars(left: Operand, right: Operand): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  return rank(left) - rank(right);
}

/** Whether a value is a scalar, as filters, indexes and sorts need. */
export function isScalar(value: unknown): value is Operand {
  return (
    value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
  );
}
