import { errorTable, type ErrorName } from '../../kernel/errors.js';
import found from './data/operation-errors.json' with { type: 'json' };

/** The errors that requests may end with, by their names in the error table. */
export interface OperationErrors {
  /** Errors of any request. */
  readonly everywhere: readonly ErrorName[];
  /** Errors of any request that needs credentials. */
  readonly authenticated: readonly ErrorName[];
  /** Further errors, by controller and method. */
  readonly operations: Readonly<Record<string, readonly ErrorName[]>>;
}

/**
 * Errors that always occur together, by their abbreviation in the lists of operations: the first one with a
 * plus.
 */
const groups: Readonly<Record<string, readonly string[]>> = found.groups;

/**
 * The findings of `test/support/operation-errors.ts` in the source, each list in alphabetical order. `npm run
 * golden:update` writes them, and the OpenAPI document that is made from them when it is run once more.
 *
 * @throws Error at start-up, for a name that is not in the error table
 */
export const operationErrors: OperationErrors = {
  everywhere: rowsOf(found.everywhere),
  authenticated: rowsOf(found.authenticated),
  operations: Object.fromEntries(
    Object.entries<readonly string[]>(found.operations).map(([operation, names]) => [
      operation,
      rowsOf(names),
    ]),
  ),
};

function rowsOf(names: readonly string[]): readonly ErrorName[] {
  return names
    .flatMap((name) => groups[name] ?? [name])
    .map(rowOf)
    .sort();
}

function rowOf(name: string): ErrorName {
  if (!Object.hasOwn(errorTable, name)) throw new Error(`There is no error "${name}"`);
  return name as ErrorName;
}
