import {
  UnsupportedQueryError,
  type Filter,
  type FindOptions,
  type Keyed,
  type Sort,
  type TermIndexDefinition,
  type Update,
  type Write,
} from '../../../src/stores/read-store/port.js';

type Value = unknown;
type Fields = { [field: string]: Value };

function isObject(value: Value): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Everything that a path leads to: undefined where it leads to a missing field, arrays at its end beside their elements. */
function valuesAt(value: Value, parts: readonly string[]): Value[] {
  const [part, ...rest] = parts;
  if (part === undefined) return Array.isArray(value) ? [...(value as Value[]), value] : [value];
  if (Array.isArray(value)) return value.filter(isObject).flatMap((element) => valuesAt(element, parts));
  return isObject(value) ? valuesAt(value[part], rest) : [undefined];
}

function equals(value: Value, wanted: Value): boolean {
  if (wanted === null) return value === null || value === undefined;
  return JSON.stringify(value) === JSON.stringify(wanted);
}

function compares(operator: string, value: Value, bound: Value): boolean {
  if (typeof value !== typeof bound) return false;
  const order = compare(value, bound);
  if (operator === '$gt') return order > 0;
  if (operator === '$gte') return order >= 0;
  return operator === '$lt' ? order < 0 : order <= 0;
}

function holds(document: Keyed, path: string, [operator, operand]: [string, Value]): boolean {
  const values = valuesAt(document, path.split('.'));
  const operands = operand as readonly Value[];
  switch (operator) {
    case '$eq':
      return values.some((value) => equals(value, operand));
    case '$ne':
      return !values.some((value) => equals(value, operand));
    case '$in':
      return operands.some((one) => values.some((value) => equals(value, one)));
    case '$nin':
      return !operands.some((one) => values.some((value) => equals(value, one)));
    case '$all':
      return operands.length > 0 && operands.every((one) => values.some((value) => equals(value, one)));
    case '$exists':
      return values.some((value) => value !== undefined) === operand;
    case '$size':
      return values.some((value) => Array.isArray(value) && value.length === operand);
    default:
      return values.some((value) => compares(operator, value, operand));
  }
}

/** Whether a document matches a filter, said as plainly as possible. */
export function matches(document: Keyed, filter: Filter): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    const branches = condition as readonly Filter[];
    if (name === '$and') return branches.every((branch) => matches(document, branch));
    if (name === '$or') return branches.some((branch) => matches(document, branch));
    if (name === '$nor') return !branches.some((branch) => matches(document, branch));
    const operators: [string, Value][] = isObject(condition)
      ? Object.entries(condition)
      : [['$eq', condition]];
    return operators.every((operator) => holds(document, name, operator));
  });
}

function rank(value: Value): number {
  if (value === null || value === undefined) return 0;
  return { number: 1, string: 2, boolean: 3 }[typeof value as 'number'];
}

function compare(left: Value, right: Value): number {
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right as string));
  return Number(left ?? 0) - Number(right ?? 0);
}

function plainValueAt(document: Keyed, path: string): Value {
  return path
    .split('.')
    .reduce<Value>((value, part) => (isObject(value) ? value[part] : undefined), document);
}

function sorted(documents: readonly Keyed[], sort: Sort): Keyed[] {
  return documents.toSorted((left, right) => {
    for (const [path, direction] of Object.entries(sort)) {
      const order = compare(plainValueAt(left, path), plainValueAt(right, path));
      if (order !== 0) return order * direction;
    }
    return 0;
  });
}

function project(value: Value, paths: readonly (readonly string[])[]): Value {
  if (Array.isArray(value)) return value.filter(isObject).map((element) => project(element, paths));
  const entries = Object.entries(value as Fields).flatMap(([name, field]): [string, Value][] => {
    const inside = paths.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (inside.length === 0) return [];
    if (inside.some((path) => path.length === 0)) return [[name, field]];
    return isObject(field) || Array.isArray(field) ? [[name, project(field, inside)]] : [];
  });
  return Object.fromEntries(entries);
}

function change(operator: string, current: Value, value: Value): Value {
  if (operator === '$set') return value;
  if (operator === '$unset' || (operator === '$pull' && current === undefined)) return undefined;
  if (operator === '$inc' || operator === '$min' || operator === '$max') {
    if (current === undefined) return value;
    if (operator === '$inc') {
      if (typeof current !== 'number') throw new UnsupportedQueryError('no number');
      return current + (value as number);
    }
    if (typeof current === 'object' && current !== null) throw new UnsupportedQueryError('no scalar');
    const less = compare(current, value) < 0;
    return less === (operator === '$min') ? current : value;
  }
  if (current !== undefined && !Array.isArray(current)) throw new UnsupportedQueryError('no array');
  const array = (current ?? []) as readonly Value[];
  if (operator === '$pull') return array.filter((element) => element !== value);
  const present = array.some((element) => JSON.stringify(element) === JSON.stringify(value));
  return operator === '$addToSet' && present ? array : [...array, value];
}

function updateAt(fields: Fields, parts: readonly string[], [operator, value]: [string, Value]): Fields {
  const [part, ...rest] = parts as [string, ...string[]];
  const current = fields[part];
  if (rest.length > 0 && !isObject(current)) {
    if (operator === '$unset' || (operator === '$pull' && current === undefined)) return fields;
    if (current !== undefined) throw new UnsupportedQueryError('no object');
  }
  const result =
    rest.length > 0
      ? updateAt((current ?? {}) as Fields, rest, [operator, value])
      : change(operator, current, value);
  const copy = { ...fields };
  delete copy[part];
  return result === undefined ? copy : { ...copy, [part]: result };
}

function updated(document: Keyed, update: Update): Keyed {
  let fields: Fields = document;
  for (const [operator, paths] of Object.entries(update)) {
    for (const [path, value] of Object.entries(paths as Fields)) {
      fields = updateAt(fields, path.split('.'), [operator, value]);
    }
  }
  return fields as Keyed;
}

/** The documented meaning of the read store's language over an array in memory: slow, and short enough to be believed. */
export class NaiveCollection {
  private documents: Keyed[] = [];

  constructor(private readonly termIndex?: TermIndexDefinition) {}

  find(filter: Filter, { sort = {}, skip = 0, limit = Infinity, projection }: FindOptions = {}): Keyed[] {
    const found = sorted(
      this.documents.filter((document) => matches(this.withTerms(document), filter)),
      sort,
    ).slice(skip, skip + limit);
    if (!projection) return found;
    const paths = ['_id', ...Object.keys(projection)].map((path) => path.split('.'));
    return found.map((document) => project(document, paths) as Keyed);
  }

  distinct(path: string, filter: Filter): Value[] {
    const values = this.find(filter).flatMap((document) => valuesAt(document, path.split('.')));
    const scalars = values.filter((value) => value !== undefined && !Array.isArray(value));
    return [...new Set(scalars)].sort(compare);
  }

  /** @throws UnsupportedQueryError when an update does not fit; nothing is changed then. */
  apply(write: Write): void {
    if ('deleteMany' in write) return this.remove(this.find(write.deleteMany.filter));
    if ('deleteOne' in write) return this.remove(this.find(write.deleteOne.filter).slice(0, 1));
    if ('updateMany' in write) {
      const { filter, update } = write.updateMany;
      return this.put(this.find(filter).map((document) => updated(document, update)));
    }
    const one = 'replaceOne' in write ? write.replaceOne : write.updateOne;
    const [found] = this.find(one.filter);
    const key = (one.filter as { readonly _id: number | string })._id;
    if (found === undefined && (!one.upsert || this.find({ _id: key }).length > 0)) return;
    const before = found ?? { _id: key };
    this.put(['replacement' in one ? one.replacement : updated(before, one.update)]);
  }

  private withTerms(document: Keyed): Keyed {
    if (this.termIndex === undefined) return document;
    const { path, of, terms } = this.termIndex;
    const text = document[of];
    return { ...document, [path]: typeof text === 'string' ? [...terms(text)] : [] };
  }

  private put(documents: readonly Keyed[]): void {
    this.remove(documents);
    this.documents.push(...documents);
  }

  private remove(documents: readonly Keyed[]): void {
    const keys = new Set(documents.map(({ _id }) => _id));
    this.documents = this.documents.filter(({ _id }) => !keys.has(_id));
  }
}
