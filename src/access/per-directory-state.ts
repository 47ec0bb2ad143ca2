import type { Directory } from './directory.js';

/** What follows from the directory alone, made once for each of its states: see {@link Directory.state}. */
export class PerDirectoryState<Result> {
  private readonly known = new WeakMap<object, { readonly result: Result }>();

  /** @param make pure: what it makes of this state of the directory */
  of({ state }: Pick<Directory, 'state'>, make: () => Result): Result {
    const known = this.known.get(state);
    if (known !== undefined) return known.result;
    const result = make();
    this.known.set(state, { result });
    return result;
  }
}
