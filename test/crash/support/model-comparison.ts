import { decodedPages } from '../../../projections/engine/decoded-pages.js';
import { digestModel } from '../../../projections/engine/compare-models.js';
import { EventApplier } from '../../../projections/engine/event-applier.js';
import { silentLogger } from '../../../projections/engine/logger.js';
import { openModel, writable, type StoredModel } from '../../../projections/engine/open-model.js';
import type { Projection } from '../../../projections/engine/projection.js';
import { engineTiming } from '../../../projections/engine/timing.js';
import { projections } from '../../../projections/registry.js';
import type { Stores } from '../../../src/stores/stores.js';
import { rebuildModel } from '../../support/rebuild-model.js';

type ModelStores = Pick<Stores, 'log' | 'readStore'>;

/** Digests by projection. */
export type ModelDigests = Readonly<Record<string, string>>;

/** The models that serve, brought to the end of the log as the next start would. Nobody else may be writing them. */
export async function keptModels(stores: ModelStores): Promise<ModelDigests> {
  return digests(async (projection) => {
    const version = await stores.readStore.servingVersion(projection.name);
    if (version === null) throw new Error(`No version of ${projection.name} serves`);
    const stored = await openModel(stores.readStore, projection, version);
    await bringUp(stores, stored);
    return stored;
  });
}

/** The same models built from nothing. */
export async function rebuiltModels(stores: ModelStores): Promise<ModelDigests> {
  const { signal } = new AbortController();
  return digests(async (projection) => {
    const built = await rebuildModel(stores, projection, {
      processName: 'test',
      logger: silentLogger,
      signal,
    });
    return { ...built, drop: () => stores.readStore.dropModel(projection.name, built.model.version) };
  });
}

async function digests(
  model: (projection: Projection) => Promise<StoredModel & { readonly drop?: () => Promise<unknown> }>,
): Promise<ModelDigests> {
  const found: Record<string, string> = {};
  for (const projection of projections) {
    const { drop, ...stored } = await model(projection);
    found[projection.name] = await digestModel(stored);
    await drop?.();
  }
  return found;
}

async function bringUp({ log, readStore }: ModelStores, stored: StoredModel): Promise<void> {
  const { signal } = new AbortController();
  const { batch: limits, pageSize } = engineTiming;
  // Whoever wrote the model is dead, so its lease stands for nothing.
  const applier = await EventApplier.open(
    writable(readStore, stored, { fencingToken: Number.MAX_SAFE_INTEGER, limits }),
  );
  const types = Object.keys(stored.projection.on);
  for await (const page of decodedPages(log, { after: applier.passed, types, pageSize, signal })) {
    await applier.apply(page, signal);
    if (page.live) return;
  }
}
