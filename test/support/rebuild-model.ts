import { buildUp, type BuildOptions, type BuiltModel } from '../../projections/engine/build-model.js';
import type { EngineStores } from '../../projections/engine/projection-runner.js';
import type { Projection } from '../../projections/engine/projection.js';
import { nextGeneration } from '../../projections/engine/stored-version.js';

/** Builds a new version of a model beside the serving one, which goes on serving. */
export async function rebuildModel(
  stores: EngineStores,
  projection: Projection,
  options: BuildOptions,
): Promise<BuiltModel> {
  const taken = await stores.readStore.usedVersions(projection.name);
  return buildUp(stores, { projection, version: nextGeneration(projection.version, taken) }, options);
}
