import type { FindOptions, Keyed } from '../port.js';
import { fieldOf, isFields, pathParts, type Fields } from '../language/documents.js';

/** Included fields by name; null: the whole field. */
type Inclusion = Map<string, Inclusion | null>;

function inclusionOf(paths: readonly string[]): Inclusion {
  const root: Inclusion = new Map([['_id', null]]);
  for (const path of paths) {
    const parts = pathParts(path);
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const inner: Inclusion = at.get(part) ?? new Map<string, Inclusion | null>();
      at.set(part, inner);
      at = inner;
    }
    at.set(parts.at(-1)!, null);
  }
  return root;
}

/** The included part of a value; undefined: none. */
function included(value: unknown, inclusion: Inclusion): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => included(element, inclusion)).filter((element) => element !== undefined);
  }
  if (!isFields(value)) return undefined;
  const fields: Fields = {};
  for (const [name, inner] of inclusion) {
    const field = fieldOf(value, name);
    const kept = inner === null ? field : included(field, inner);
    if (kept !== undefined) fields[name] = kept;
  }
  return fields;
}

/** Documents reduced to the named fields. */
export function projected(documents: Keyed[], projection: FindOptions['projection']): Keyed[] {
  const paths = Object.keys(projection ?? {});
  return paths.length === 0 ? documents : documents.map(projectionOf(paths));
}

/** A function that reduces a document to the named fields. */
export function projectionOf(paths: readonly string[]): (document: Keyed) => Keyed {
  const inclusion = inclusionOf(paths);
  return (document) => included(document, inclusion) as Keyed;
}
