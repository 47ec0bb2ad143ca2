import type { Directory } from './directory.js';

/**
 * Caches a result that derives from the directory alone, once for each of its states: see {@link
 * Directory.state}.
 */
export class PerDirectoryState<Result> {
  private readonly known = new WeakMap<object, { readonly result: Result }>();

  /** @param make computes the result for this state of the directory; pure */
  of({ state }: Pick<Directory, 'state'>, make: () => Result): Result {
    const known = this.known.get(state);
    if (known !== undefined) return known.result;
    const result = make();
    this.known.set(state, { result });
    return result;
  }
}
