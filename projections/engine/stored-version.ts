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
