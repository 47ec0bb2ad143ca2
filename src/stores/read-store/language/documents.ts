import { UnsupportedQueryError, type Document, type Keyed } from '../port.js';
import { isScalar } from './order.js';

/** A mutable document, while it is read or built; the port's own type is read-only. */
export type Fields = { [field: string]: unknown };

/** Whether a value is an object with fields, of any realm. */
export function isFields(value: unknown): value is Fields {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function checkFieldName(name: string): void {
  if (name === '' || name.includes('.') || name.includes('$') || name === '__proto__') {
    throw new UnsupportedQueryError(`"${name}" cannot name a field`);
  }
}

function checkElement(value: unknown): void {
  if (value === undefined || Array.isArray(value)) {
    throw new UnsupportedQueryError('An array holds neither undefined nor other arrays');
  }
  checkValue(value);
}

/** Refuses what is not a valid value of a document. */
export function checkValue(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new UnsupportedQueryError(`${value} is no number of a document`);
  }
  if (isScalar(value)) return;
  if (Array.isArray(value)) return value.forEach(checkElement);
  if (!isFields(value))
    throw new UnsupportedQueryError(`A document is plain JSON and holds no ${typeof value}`);
  for (const name in value) {
    checkFieldName(name);
    if (value[name] !== undefined) checkValue(value[name]);
  }
}

/** Refuses what is not a valid key of a document. */
export function checkKey(key: unknown): asserts key is Keyed['_id'] {
  if (typeof key === 'string' || (typeof key === 'number' && Number.isFinite(key))) return;
  throw new UnsupportedQueryError('The _id of a document is a string or a finite number');
}

/** Refuses what is not a valid document (see {@link Document}). */
export function checkDocument(document: Keyed): void {
  checkKey(document._id);
  checkValue(document);
}

/** The parts of a dotted path, each a valid field name. */
export function pathParts(path: string): readonly string[] {
  const parts = path.split('.');
  parts.forEach(checkFieldName);
  return parts;
}

/** A field's own value; undefined: the field is missing. */
export function fieldOf(value: Document, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
