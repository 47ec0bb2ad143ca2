import { UnsupportedQueryError, type Document, type Keyed, type Operand } from '../port.js';
import { fieldOf, isFields, pathParts } from './documents.js';
import { compareScalars, isScalar } from './order.js';
import type { SortKey } from './options.js';

function scalar(path: string, value: unknown): Operand {
  if (isScalar(value)) return value;
  throw new UnsupportedQueryError(`${path} holds ${Array.isArray(value) ? 'an array' : 'an object'}`);
}

function collect(value: unknown, parts: readonly string[], found: Set<unknown>): void {
  const [part, ...rest] = parts;
  if (part === undefined) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) found.add(one);
  } else if (Array.isArray(value)) {
    for (const element of value) if (isFields(element)) collect(element, parts, found);
  } else if (isFields(value)) {
    collect(fieldOf(value, part), rest, found);
  }
}

/**
 * Values as `distinct` returns them: scalars, in sorting order.
 *
 * @throws {UnsupportedQueryError} when one is an object.
 */
export function distinctScalars(path: string, values: Iterable<unknown>): Operand[] {
  return [...values].map((value) => scalar(path, value)).sort(compareScalars);
}

/** The distinct scalars at a path of documents; missing fields do not count. */
export function distinctValues(documents: Iterable<Document>, path: string): Operand[] {
  const parts = pathParts(path);
  const found = new Set<unknown>();
  for (const document of documents) collect(document, parts, found);
  return distinctScalars(path, found);
}

function sortValue(document: Document, path: string): Operand {
  let value: unknown = document;
  for (const part of pathParts(path)) {
    if (Array.isArray(value)) break;
    value = isFields(value) ? fieldOf(value, part) : undefined;
  }
  return value === undefined ? null : scalar(path, value);
}

/** Sorts documents by paths without an index. */
export function sortDocuments(documents: readonly Keyed[], sort: readonly SortKey[]): Keyed[] {
  const rows = documents.map((document) => ({
    document,
    values: sort.map(({ path }) => sortValue(document, path)),
  }));
  rows.sort((left, right) => {
    for (const [at, { direction }] of sort.entries()) {
      const difference = compareScalars(left.values[at]!, right.values[at]!);
      if (difference !== 0) return difference * direction;
    }
    return compareScalars(left.document._id, right.document._id);
  });
  return rows.map(({ document }) => document);
}
