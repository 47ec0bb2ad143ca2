import { isDeepStrictEqual } from 'node:util';
import type { Document, Filter, Update } from '../../../src/stores/read-store/port.js';

/** The little of the query language that the engine and these tests use, on plain objects. */
export function matches(document: Document, filter: Filter): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    const filters = condition as readonly Filter[];
    if (path === '$and') return filters.every((one) => matches(document, one));
    if (path === '$or') return filters.some((one) => matches(document, one));
    if (path === '$nor') return !filters.some((one) => matches(document, one));
    return meets(document[path], condition);
  });
}

function meets(value: unknown, condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return isDeepStrictEqual(value ?? null, condition);
  return Object.entries(condition).every(([operator, operand]) => compare(value, operator, operand));
}

function compare(value: unknown, operator: string, operand: unknown): boolean {
  const comparable = typeof value === typeof operand;
  switch (operator) {
    case '$in':
      return (operand as readonly unknown[]).includes(value);
    case '$ne':
      return value !== operand;
    case '$gt':
      return comparable && (value as number) > (operand as number);
    case '$gte':
      return comparable && (value as number) >= (operand as number);
    case '$lt':
      return comparable && (value as number) < (operand as number);
    case '$lte':
      return comparable && (value as number) <= (operand as number);
    default:
      throw new Error(`The memory store knows no ${operator}`);
  }
}

export function updated<D extends Document>(document: D, update: Update): D {
  const { $set = {}, $inc = {}, ...others } = update;
  if (Object.keys(others).length > 0)
    throw new Error(`The memory store knows no ${Object.keys(others).join()}`);
  const result: Record<string, unknown> = { ...document, ...$set };
  for (const [field, amount] of Object.entries($inc))
    result[field] = ((result[field] as number) ?? 0) + amount;
  return result as D;
}
