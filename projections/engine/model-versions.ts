import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Projection } from './projection.js';
import { projectionVersion } from './stored-version.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** A read model whose serving version was made by a newer version of the program. */
interface NewerModel {
  readonly projection: Projection;
  /** The projection's version in the newer program. */
  readonly version: number;
}

/** A serving model was written by a newer version of the program. */
export class NewerModelError extends OperatorError {
  override readonly name = 'NewerModelError';
  constructor(models: readonly [NewerModel, ...NewerModel[]]) {
    const [{ projection, version }] = models;
    const names = models.map((one) => one.projection.name).join(' ');
    super(
      `The read model "${projection.name}" is of version ${version}, and this program knows version ` +
        `${projection.version}: start the newer program again, or, to go back to this one, run ` +
        `"palimpsest projections rebuild ${names}" with this program while no server runs (docs/upgrade.md)`,
    );
  }
}

/** There is no projection with that name. */
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
 * Checks the serving versions before anything is started.
 *
 * @param options.acceptNewer whether models of a newer program are accepted, because they are about to be rebuilt by this one
 * @returns the projections whose serving version was made by an older version, which must be built
 * @throws NewerModelError
 */
export async function outdatedModels(
  readStore: ReadStore,
  projections: readonly Projection[],
  { acceptNewer }: { readonly acceptNewer: boolean },
): Promise<readonly Projection[]> {
  const outdated: Projection[] = [];
  const newer: NewerModel[] = [];
  for (const projection of projections) {
    const serving = await readStore.servingVersion(projection.name);
    if (serving === null) continue;
    const version = projectionVersion(serving);
    if (version > projection.version) newer.push({ projection, version });
    if (version < projection.version) outdated.push(projection);
  }
  const [first, ...others] = newer;
  if (first !== undefined && !acceptNewer) throw new NewerModelError([first, ...others]);
  return outdated;
}
