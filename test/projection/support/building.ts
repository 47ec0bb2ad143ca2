import type { EventLog } from '../../../src/stores/event-store/event-log.js';
import type { ReadStore } from '../../../src/stores/read-store/port.js';
import { digestModel } from '../../../projections/engine/compare-models.js';
import { silentLogger } from '../../../projections/engine/logger.js';
import { openModel } from '../../../projections/engine/open-model.js';
import type { Projection } from '../../../projections/engine/projection.js';
import { buildUp, type BuildOptions } from '../../../projections/engine/build-model.js';
import { storedVersion } from '../../../projections/engine/stored-version.js';
import { engineTiming, type EngineTiming } from '../../../projections/engine/timing.js';
import { rebuildModel } from '../../support/rebuild-model.js';

/** Times short enough for tests. */
export const quickTiming: EngineTiming = {
  ...engineTiming,
  leaseMilliseconds: 60_000,
  retryPoison: { first: 5, max: 20 },
  retryStores: { first: 5, max: 20 },
  checkpointMilliseconds: 20,
  reactorCheckpointMilliseconds: 5,
  versionMilliseconds: 10,
};

export function buildOptions(timing: Partial<EngineTiming> = {}): BuildOptions {
  const { signal } = new AbortController();
  return { processName: 'test', logger: silentLogger, signal, timing: { ...quickTiming, ...timing } };
}

/** Builds the model of a projection's own version, or goes on where a build was interrupted, and lets it serve. */
export async function buildServing(
  log: EventLog,
  readStore: ReadStore,
  { projection, ...options }: BuildOptions & { readonly projection: Projection },
): Promise<void> {
  const version = storedVersion(projection.version, 0);
  const serving = await readStore.servingVersion(projection.name);
  if (serving === version) return;
  await buildUp({ log, readStore }, { projection, version }, options);
  await readStore.switchVersion(projection.name, serving, version);
}

/** The digest of a model that is built from nothing. */
export async function rebuiltDigest(
  log: EventLog,
  readStore: ReadStore,
  projection: Projection,
): Promise<string> {
  const built = await rebuildModel({ log, readStore }, projection, buildOptions());
  const digest = await digestModel(built);
  await readStore.dropModel(projection.name, built.model.version);
  return digest;
}

/** The digest of a stored version of a model. */
export async function storedDigest(
  readStore: ReadStore,
  projection: Projection,
  version: number,
): Promise<string> {
  return digestModel(await openModel(readStore, projection, version));
}
