import type { ReadStore } from '../../src/read-store/port.js';
import type { Projection } from './projection.js';
import { projectionVersion } from './stored-version.js';
import { OperatorError } from '../../src/kernel/operator-error.js';

/** What serves was written by a newer version of the program. */
export class NewerModelError extends OperatorError {
  override readonly name = 'NewerModelError';
  constructor(projection: Projection, version: number) {
    super(
      `The read model "${projection.name}" is of version ${version}, and this program knows version ` +
        `${projection.version}: start a newer program, or switch the model back first.`,
    );
  }
}

/** No projection has this name. */
export class UnknownProjectionError extends OperatorError {
  override readonly name = 'UnknownProjectionError';
  constructor(name: string, known: readonly Projection[]) {
    super(
      `There is no projection "${name}"; there are ${known.map((one) => one.name).join(', ') || 'none'}.`,
    );
  }
}

/** @throws UnknownProjectionError */
export function projectionNamed(name: string, projections: readonly Projection[]): Projection {
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined) throw new UnknownProjectionError(name, projections);
  return projection;
}

/**
 * Looks at what serves before anything is started.
 *
 * @returns the projections whose serving model was made by older code, so that one is to be built beside it
 * @throws NewerModelError
 */
export async function outdatedModels(
  readStore: ReadStore,
  projections: readonly Projection[],
): Promise<readonly Projection[]> {
  const outdated: Projection[] = [];
  for (const projection of projections) {
    const serving = await readStore.servingVersion(projection.name);
    if (serving === null) continue;
    const version = projectionVersion(serving);
    if (version > projection.version) throw new NewerModelError(projection, version);
    if (version < projection.version) outdated.push(projection);
  }
  return outdated;
}
