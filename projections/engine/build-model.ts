import { decodedPages } from './decoded-pages.js';
import { EventApplier } from './event-applier.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { discardedIds, OperatorSettings } from './operator-settings.js';
import { openModelReporting, writable, type StoredModel } from './open-model.js';
import { pause } from './pause.js';
import type { BuildProgress } from './projector-protocol.js';
import { modelLease, type EngineStores } from './projection-runner.js';
import type { Projection } from './projection.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** The clock that limits a build's rate. */
interface BuildPace {
  /** A monotonic clock, in milliseconds. */
  now(): number;
  /** Resolves after `milliseconds`, or when the signal is aborted. */
  rest(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const realPace: BuildPace = { now: () => performance.now(), rest: pause };

/** How to build. */
export interface BuildOptions {
  /** Names this process to the others: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  /** Interrupts the build, which can be resumed later. */
  readonly signal: AbortSignal;
  readonly timing?: EngineTiming;
  /** Maximum number of events per second; absent or null: unlimited. */
  readonly eventsPerSecond?: number | null;
  /** Absent: the system's clock and timers. */
  readonly pace?: BuildPace;
  /** Called with the progress. */
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** A model that was built up to the end of the log at some time. */
export interface BuiltModel extends StoredModel {
  /** Position of the last event in it; null: the log was empty. */
  readonly position: number | null;
}

/** The build was aborted by its signal, or lost its lease, before it caught up. */
export class BuildInterruptedError extends Error {
  override readonly name = 'BuildInterruptedError';
}

/**
 * Builds a stored version of a model up to the present end of the log, from its checkpoint on. It does not serve until somebody cuts over
 * to it.
 *
 * @throws PoisonEventError, BuildInterruptedError
 */
export async function buildUp(
  stores: EngineStores,
  { projection, version }: { readonly projection: Projection; readonly version: number },
  options: BuildOptions,
): Promise<BuiltModel> {
  const { processName, logger, signal, timing = engineTiming } = options;
  const { readStore } = stores;
  const stored = await openModelReporting({ readStore, logger }, projection, version);
  const terms = {
    name: modelLease(projection.name, version),
    owner: processName,
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
  const { pace = realPace } = options;
  const discarded = discardedIds(await new OperatorSettings(stores.readStore).of(projection.name));
  const part = { after: applier.passed, types: Object.keys(projection.on), pageSize, signal, discarded };
  const began = pace.now();
  const from = applier.passed;
  for await (const page of decodedPages(stores.log, part)) {
    await applier.apply(page, signal);
    const { passed: position, events } = applier;
    options.onProgress?.({ projection: projection.name, version, position, events, from });
    if (page.live) break;
    const due = options.eventsPerSecond ? (events / options.eventsPerSecond) * 1000 : 0;
    await pace.rest(Math.max(0, due - (pace.now() - began)), signal);
  }
  await applier.storeCheckpoint();
}
