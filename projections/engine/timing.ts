import type { BatchLimits } from './event-applier.js';
import type { BackoffBounds } from './pause.js';

/** Sizes and times of the engine; tests make them small. */
export interface EngineTiming {
  /** How long a lease outlives its holder. */
  readonly leaseMilliseconds: number;
  /** How soon a runner tries again after a failure. */
  readonly retry: BackoffBounds;
  /** How long a checkpoint may lag behind when only events of other models went by. */
  readonly checkpointMilliseconds: number;
  /** How often the serving version is looked up, in case that another process switched it. */
  readonly versionMilliseconds: number;
  /** The most events read at once. */
  readonly pageSize: number;
  readonly batch: BatchLimits;
}

export const engineTiming: EngineTiming = {
  leaseMilliseconds: 10_000,
  retry: { first: 250, most: 60_000 },
  checkpointMilliseconds: 1_000,
  versionMilliseconds: 1_000,
  pageSize: 2_000,
  batch: { events: 2_000, characters: 4_000_000 },
};
