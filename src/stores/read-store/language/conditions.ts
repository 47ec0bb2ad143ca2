import { UnsupportedQueryError, type Filter, type Operand } from '../port.js';
import { isFields, pathParts } from './documents.js';
import { isScalar } from './order.js';

/** How a comparison relates a value to its bound. */
export type Comparator = '>' | '>=' | '<' | '<=';

/** A comparison of the values at a path with a bound. */
export interface Comparison {
  readonly kind: 'compare';
  readonly path: string;
  readonly comparator: Comparator;
  readonly bound: number | string;
}

/** A parsed filter: the few forms that the whole language is reduced to. */
export type Condition =
  | { readonly kind: 'and' | 'or' | 'nor'; readonly branches: readonly Condition[] }
  | { readonly kind: 'equal'; readonly path: string; readonly value: Operand | readonly Operand[] }
  | { readonly kind: 'in'; readonly path: string; readonly values: readonly Operand[] }
  | Comparison
  | { readonly kind: 'exists'; readonly path: string; readonly present: boolean }
  | { readonly kind: 'size'; readonly path: string; readonly size: number };

const comparators: Readonly<Record<string, Comparator>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

const logicalOperators: Readonly<Record<string, 'and' | 'or' | 'nor'>> = {
  $and: 'and',
  $or: 'or',
  $nor: 'nor',
};

function operand(value: unknown): Operand {
  if (!isScalar(value) || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new UnsupportedQueryError('A filter compares with null, booleans, finite numbers and strings');
  }
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function operands(operator: string, value: unknown): readonly Operand[] {
  if (!Array.isArray(value)) throw new UnsupportedQueryError(`${operator} takes an array`);
  return value.map(operand);
}

function equal(path: string, value: unknown): Condition {
  return { kind: 'equal', path, value: Array.isArray(value) ? operands('Equality', value) : operand(value) };
}

function compare(path: string, comparator: Comparator, value: unknown): Condition {
  const bound = operand(value);
  if (typeof bound === 'number' || typeof bound === 'string')
    return { kind: 'compare', path, comparator, bound };
  throw new UnsupportedQueryError('Only numbers and strings have an order to compare by');
}

function size(path: string, value: unknown): Condition {
  if (Number.isSafeInteger(value) && (value as number) >= 0)
    return { kind: 'size', path, size: value as number };
  throw new UnsupportedQueryError('$size takes a length');
}

function exists(path: string, value: unknown): Condition {
  if (typeof value === 'boolean') return { kind: 'exists', path, present: value };
  throw new UnsupportedQueryError('$exists takes true or false');
}

function all(path: string, value: unknown): Condition {
  const values = operands('$all', value);
  // As in MongoDB, `$all` of an empty list matches nothing.
  if (values.length === 0) return { kind: 'or', branches: [] };
  return conjunction(values.map((one) => equal(path, one)));
}

function not(condition: Condition): Condition {
  return { kind: 'nor', branches: [condition] };
}

function parseOperator(path: string, operator: string, value: unknown): Condition {
  const comparator = comparators[operator];
  if (comparator) return compare(path, comparator, value);
  switch (operator) {
    case '$eq':
      return equal(path, value);
    case '$ne':
      return not(equal(path, value));
    case '$in':
      return { kind: 'in', path, values: operands(operator, value) };
    case '$nin':
      return not({ kind: 'in', path, values: operands(operator, value) });
    case '$all':
      return all(path, value);
    case '$exists':
      return exists(path, value);
    case '$size':
      return size(path, value);
    default:
      throw new UnsupportedQueryError(
        `A condition knows no ${operator}; objects are compared field by field`,
      );
  }
}

function parseField(path: string, value: unknown): readonly Condition[] {
  pathParts(path);
  if (!isFields(value)) return [equal(path, value)];
  const conditions: Condition[] = [];
  for (const operator in value) conditions.push(parseOperator(path, operator, value[operator]));
  if (conditions.length > 0) return conditions;
  throw new UnsupportedQueryError(`The condition on ${path} is empty`);
}

interface Logical {
  readonly kind: 'and' | 'or' | 'nor';
  readonly operator: string;
}

function parseLogical({ kind, operator }: Logical, value: unknown, known: KnownFilters): Condition {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFields)) {
    throw new UnsupportedQueryError(`${operator} takes an array of filters that is not empty`);
  }
  const branches = value.map((branch) => parseFilter(branch as Filter, known));
  return kind === 'and' ? conjunction(branches) : { kind, branches };
}

/** The conditions of a conjunction. Parsed conjunctions are never nested. */
export function conjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.branches : [condition];
}

function conjunction(conditions: readonly Condition[]): Condition {
  if (conditions.length === 1) return conditions[0]!;
  if (!conditions.some(({ kind }) => kind === 'and')) return { kind: 'and', branches: conditions };
  return { kind: 'and', branches: conditions.flatMap(conjuncts) };
}

/**
 * Parses a filter. A filter object that occurs several times becomes the same condition object.
 *
 * @throws {UnsupportedQueryError} when it is outside of the documented subset.
 */
export function parseFilter(filter: Filter, known: KnownFilters = new Map()): Condition {
  const parsed = known.get(filter);
  if (parsed) return parsed;
  const conditions: Condition[] = [];
  for (const name in filter) {
    const logical = logicalOperators[name];
    if (logical) conditions.push(parseLogical({ kind: logical, operator: name }, filter[name], known));
    else conditions.push(...parseField(name, filter[name]));
  }
  const condition = conjunction(conditions);
  known.set(filter, condition);
  return condition;
}

/** The filter objects parsed so far. */
type KnownFilters = Map<Filter, Condition>;
