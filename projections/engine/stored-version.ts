/**
 * A model that is rebuilt although its code is the same needs a second place beside the one that serves. So the version
 * under which a model is stored holds two numbers: the projection's own version, and a generation that counts such
 * rebuilds. The first generation is stored under the projection's version itself.
 */
const GENERATION = 1_000_000;

/** Under which version a generation of a projection's version is stored. */
export function storedVersion(version: number, generation: number): number {
  return generation * GENERATION + version;
}

/** The version of the projection whose code made a stored version. */
export function projectionVersion(stored: number): number {
  return stored % GENERATION;
}

/** How often the model had been rebuilt with that code when it was stored. */
export function generationOf(stored: number): number {
  return Math.floor(stored / GENERATION);
}

/**
 * The lowest generation of a projection's version that is above all that were ever stored.
 *
 * @param used every stored version of the model that exists or once did
 */
export function nextGeneration(version: number, used: readonly number[]): number {
  const generations = used.filter((one) => projectionVersion(one) === version);
  const highest = Math.max(-1, ...generations.map(generationOf));
  return storedVersion(version, highest + 1);
}
