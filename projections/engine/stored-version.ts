import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Projection } from './projection.js';

/**
 * A model that is rebuilt with the same code needs a second version beside the serving one. A stored version therefore combines two
 * numbers: the projection's own version, and a generation that counts such rebuilds. In the first generation, it equals the projection's
 * version.
 */
const GENERATION = 1_000_000;

/** The stored version of a generation of a projection's version. */
export function storedVersion(version: number, generation: number): number {
  return generation * GENERATION + version;
}

/** The projection's version whose code made a stored version. */
export function projectionVersion(stored: number): number {
  return stored % GENERATION;
}

/** The number of earlier rebuilds with the same code. */
export function generationOf(stored: number): number {
  return Math.floor(stored / GENERATION);
}

/**
 * The lowest generation of a projection's version that was never stored and is above all that were.
 *
 * @param used every stored version of the model that exists or once existed
 */
export function nextGeneration(version: number, used: readonly number[]): number {
  const generations = used.filter((one) => projectionVersion(one) === version);
  const highest = Math.max(-1, ...generations.map(generationOf));
  return storedVersion(version, highest + 1);
}

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
