import { errorTable, type ErrorName } from '../../kernel/errors.js';
import found from './data/operation-errors.json' with { type: 'json' };

/** Which rows of the error table requests may be answered with. */
export interface OperationErrors {
  /** Whatever the request is for. */
  readonly everywhere: readonly ErrorName[];
  /** Whatever it is for, if that needs credentials. */
  readonly authenticated: readonly ErrorName[];
  /** Beside these, by controller and method. */
  readonly operations: Readonly<Record<string, readonly ErrorName[]>>;
}

/** Rows that always come together, by what stands for them in the lists of operations: the first of them and a plus. */
const groups: Readonly<Record<string, readonly string[]>> = found.groups;

/**
 * What `test/support/operation-errors.ts` finds in the source, to the letter, each list in the order of the alphabet. `npm run golden:update`
 * writes it anew, and, run once more, the OpenAPI document that is made of it.
 *
 * @throws Error while the server starts, for what is no row of the table any more
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
