import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Projection } from './projection.js';
import { nextGeneration, projectionVersion } from './stored-version.js';

/**
 * Under which stored version a model of this code is to be built that does not serve yet: what an earlier build left, finished or not, or else
 * one that never existed.
 */
export async function firstVersionToBuild(
  readStore: ReadStore,
  { name, version }: Pick<Projection, 'name' | 'version'>,
): Promise<number> {
  const stored = await readStore.modelVersions(name);
  const begun = stored.filter((one) => projectionVersion(one) === version).at(-1);
  return begun ?? nextGeneration(version, await readStore.usedVersions(name));
}

/**
 * Under which stored version a rebuild beside what serves is to be built.
 *
 * @param building the version that an interrupted rebuild was making; null: none was
 */
export async function nextVersionToBuild(
  readStore: ReadStore,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  building: number | null,
): Promise<number> {
  const used = await readStore.usedVersions(name);
  if (building !== null && projectionVersion(building) === version) {
    // One that was noted and never made is not used yet.
    const isDropped = used.includes(building) && !(await readStore.modelVersions(name)).includes(building);
    const serves = (await readStore.servingVersion(name)) === building;
    if (!isDropped && !serves) return building;
  }
  return nextGeneration(version, used);
}
