import type { ReadStore } from '../../src/read-store/port.js';
import { decodedPages } from './decoded-pages.js';
import { EventApplier } from './event-applier.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { discardedIds, OperatorOrders } from './operator-orders.js';
import { openModel, writable, type StoredModel } from './open-model.js';
import { pause } from './pause.js';
import type { BuildProgress } from './projector-protocol.js';
import type { EngineStores } from './projection-runner.js';
import type { Projection } from './projection.js';
import { nextGeneration, storedVersion } from './stored-version.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** How to build. */
export interface BuildOptions {
  /** Names this process to the others: see {@link HeldLease}. */
  readonly holder: string;
  readonly logger: Logger;
  /** Ends the build where it is; it can be taken up again. */
  readonly signal: AbortSignal;
  readonly timing?: EngineTiming;
  /** The most events that are applied in a second; absent or null: as many as can be. */
  readonly eventsPerSecond?: number | null;
  /** Told how far it has come. */
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** A model that was built up to the end that the log had at some moment. */
export interface BuiltModel extends StoredModel {
  /** Everything up to here is in it; null: there was nothing in the log. */
  readonly position: number | null;
}

/** The build was ended by its signal, or its lease was lost, before it caught up. */
export class BuildInterruptedError extends Error {
  override readonly name = 'BuildInterruptedError';
}

/**
 * Builds a projection's model from nothing, beside whatever serves, to the present end of the log. It serves nobody until
 * `switchVersion` makes it; who only wanted to compare it drops it.
 *
 * @throws PoisonEventError for the first event that cannot be applied
 * @throws BuildInterruptedError
 */
export async function rebuildModel(
  stores: EngineStores,
  projection: Projection,
  options: BuildOptions,
): Promise<BuiltModel> {
  const taken = await stores.readStore.modelVersions(projection.name);
  return buildUp(stores, { projection, version: nextGeneration(projection.version, taken) }, options);
}

/**
 * Brings the model of this code's version up beside the one that serves, and switches to it once it has caught up. What
 * served until then is kept, older ones are dropped. Building a version whose build was interrupted continues it.
 *
 * @param again whether to build from nothing although this code's version serves
 * @returns the stored version that serves now, which may be one that another process switched to meanwhile
 * @throws PoisonEventError, BuildInterruptedError
 */
export async function replaceModel(
  stores: EngineStores,
  { projection, again }: { readonly projection: Projection; readonly again: boolean },
  options: BuildOptions,
): Promise<number> {
  const { readStore } = stores;
  const { name } = projection;
  const from = await readStore.servingVersion(name);
  const taken = await readStore.modelVersions(name);
  const version = again ? nextGeneration(projection.version, taken) : storedVersion(projection.version, 0);
  if (from === version) return version;
  const done = new AbortController();
  const watching = abortOnceSwitched(readStore, { name, from }, { done, ...options });
  try {
    const signal = AbortSignal.any([options.signal, done.signal]);
    const { position } = await buildUp(stores, { projection, version }, { ...options, signal });
    const switched = await readStore.switchVersion(name, from, version);
    options.logger.info({ projection: name, version, from, position, switched }, 'A model was built');
    for (const other of switched ? taken : []) {
      if (other !== from && other !== version) await readStore.dropModel(name, other);
    }
  } catch (error) {
    const overtaken =
      error instanceof BuildInterruptedError && (await readStore.servingVersion(name)) !== from;
    if (!overtaken) throw error;
  } finally {
    done.abort();
    await watching;
  }
  return (await readStore.servingVersion(name)) ?? version;
}

/** Another process may build the same version: the one that comes second has nothing left to do. */
async function abortOnceSwitched(
  readStore: ReadStore,
  { name, from }: { readonly name: string; readonly from: number | null },
  { done, timing = engineTiming }: { readonly done: AbortController; readonly timing?: EngineTiming },
): Promise<void> {
  while (!done.signal.aborted) {
    await pause(timing.versionMilliseconds, done.signal);
    // Whether it can be looked up now matters little: it is looked up again.
    const serving = await readStore.servingVersion(name).catch(() => from);
    if (serving !== from) done.abort();
  }
}

/**
 * Brings a stored version of a model up to the present end of the log, from wherever it is.
 *
 * @throws PoisonEventError, BuildInterruptedError
 */
export async function buildUp(
  stores: EngineStores,
  { projection, version }: { readonly projection: Projection; readonly version: number },
  options: BuildOptions,
): Promise<BuiltModel> {
  const { holder, logger, signal, timing = engineTiming } = options;
  const { readStore } = stores;
  const stored = await openModel(readStore, projection, version);
  const terms = {
    name: `projection:${projection.name}:${version}`,
    holder,
    milliseconds: timing.leaseMilliseconds,
  };
  const lease = await HeldLease.obtain({ readStore, logger }, terms, signal);
  if (lease === null) throw new BuildInterruptedError(`The build of ${projection.name} was ended`);
  try {
    const target = { fencingToken: lease.token, limits: timing.batch };
    const applier = await EventApplier.open(writable(readStore, stored, target));
    const ending = AbortSignal.any([signal, lease.lost]);
    await followToPresent({ stores, projection, version, applier, timing, options }, ending);
    if (ending.aborted) throw new BuildInterruptedError(`The build of ${projection.name} was interrupted`);
    return { ...stored, position: applier.passed };
  } finally {
    await lease.release();
  }
}

interface Build {
  readonly stores: EngineStores;
  readonly projection: Projection;
  readonly applier: EventApplier;
  readonly timing: EngineTiming;
  readonly version: number;
  readonly options: BuildOptions;
}

async function followToPresent(
  { stores, projection, version, applier, timing, options }: Build,
  signal: AbortSignal,
): Promise<void> {
  const { pageSize } = timing;
  const discarded = discardedIds(await new OperatorOrders(stores.readStore).of(projection.name));
  const part = { after: applier.passed, types: Object.keys(projection.on), pageSize, signal, discarded };
  const began = performance.now();
  for await (const page of decodedPages(stores.log, part)) {
    await applier.apply(page, signal);
    const { passed: position, events } = applier;
    options.onProgress?.({ projection: projection.name, version, position, events });
    if (page.live) break;
    const due = options.eventsPerSecond ? (events / options.eventsPerSecond) * 1000 : 0;
    await pause(Math.max(0, due - (performance.now() - began)), signal);
  }
  await applier.settle();
}
