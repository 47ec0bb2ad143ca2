import { UnsupportedQueryError, type FindOptions, type Sort } from '../port.js';
import { pathParts } from './documents.js';

/** One key of a sort or an index. */
export interface SortKey {
  readonly path: string;
  readonly direction: 1 | -1;
}

/** The keys of a sort or an index, in order. */
export function sortKeys(sort: Sort = {}): readonly SortKey[] {
  return Object.entries(sort).map(([path, direction]) => {
    pathParts(path);
    if (direction !== 1 && direction !== -1)
      throw new UnsupportedQueryError('A sorting direction is 1 or -1');
    return { path, direction };
  });
}

function checkCount(name: string, value: number | undefined, min: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min)) return;
  throw new UnsupportedQueryError(`${name} is a whole number, at least ${min}`);
}

function checkProjection(projection: FindOptions['projection'] = {}): void {
  const paths = Object.keys(projection).sort();
  for (const path of paths) {
    pathParts(path);
    if (projection[path] !== 1)
      throw new UnsupportedQueryError('A projection names the fields to include with 1');
    if (paths.some((other) => other.startsWith(`${path}.`))) {
      throw new UnsupportedQueryError(`The projection names ${path} and something inside it`);
    }
  }
}

/**
 * Checks the options of a read except for its sort (see {@link sortKeys}).
 *
 * @throws {UnsupportedQueryError} when they are outside of the documented subset.
 */
export function checkFindOptions(options: FindOptions): void {
  checkCount('limit', options.limit, 1);
  checkCount('skip', options.skip, 0);
  checkProjection(options.projection);
}
