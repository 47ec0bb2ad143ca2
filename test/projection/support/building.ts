import type { EventLog } from '../../../src/event-store/event-log.js';
import type { ReadStore } from '../../../src/read-store/port.js';
import { digestModel } from '../../../projections/engine/digest-model.js';
import { silentLogger } from '../../../projections/engine/logger.js';
import { openModel } from '../../../projections/engine/open-model.js';
import type { Projection } from '../../../projections/engine/projection.js';
import { rebuildModel, type BuildOptions } from '../../../projections/engine/rebuild-model.js';
import { engineTiming, type EngineTiming } from '../../../projections/engine/timing.js';

/** Times short enough for tests. */
export const quickTiming: EngineTiming = {
  ...engineTiming,
  leaseMilliseconds: 60_000,
  retryPoison: { first: 5, most: 20 },
  retryStores: { first: 5, most: 20 },
  checkpointMilliseconds: 20,
  reactorCheckpointMilliseconds: 5,
  versionMilliseconds: 10,
};

export function buildOptions(timing: Partial<EngineTiming> = {}): BuildOptions {
  const { signal } = new AbortController();
  return { holder: 'test', logger: silentLogger, signal, timing: { ...quickTiming, ...timing } };
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
