import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Projection } from './projection.js';
import { nextGeneration, projectionVersion } from './stored-version.js';

/** The stored version for the first build of a model by this code: one that an earlier build left, finished or not, or else a new one. */
export async function firstVersionToBuild(
  readStore: ReadStore,
  { name, version }: Pick<Projection, 'name' | 'version'>,
): Promise<number> {
  const stored = await readStore.modelVersions(name);
  const begun = stored.filter((one) => projectionVersion(one) === version).at(-1);
  return begun ?? nextGeneration(version, await readStore.usedVersions(name));
}

/**
 * The stored version for a rebuild beside the serving one.
 *
 * @param building the version that an interrupted rebuild was building; null: none
 */
export async function nextVersionToBuild(
  readStore: ReadStore,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  building: number | null,
): Promise<number> {
  const used = await readStore.usedVersions(name);
  if (building !== null && projectionVersion(building) === version) {
    // A version that was recorded but never created is still unused.
    const isDropped = used.includes(building) && !(await readStore.modelVersions(name)).includes(building);
    const serves = (await readStore.servingVersion(name)) === building;
    if (!isDropped && !serves) return building;
  }
  return nextGeneration(version, used);
}
