import type { BatchLimits } from './event-applier.js';
import type { BackoffBounds } from './pause.js';

/** Sizes and times of the engine; tests make them small. */
export interface EngineTiming {
  /** How long a lease outlives its owner. */
  readonly leaseMilliseconds: number;
  /** How soon a poison event is tried again. */
  readonly retryPoison: BackoffBounds;
  /** How soon a store that cannot be reached is tried again. */
  readonly retryStores: BackoffBounds;
  /** How long a checkpoint may lag behind when only events of other models went by. */
  readonly checkpointMilliseconds: number;
  /** The same for reactors, whose every event counts as one of others: what they do is not in their model. */
  readonly reactorCheckpointMilliseconds: number;
  /** How long a model that nobody waits for rests between batches, so that each holds more. */
  readonly besideMilliseconds: number;
  /** How often the serving version is looked up, in case that another process switched it. */
  readonly versionMilliseconds: number;
  /** The most events read at once. */
  readonly pageSize: number;
  readonly batch: BatchLimits;
  /** The most events that a reactor reads at once. */
  readonly reactorPageSize: number;
}

/** What a server runs with. */
export const engineTiming: EngineTiming = {
  leaseMilliseconds: 10_000,
  retryPoison: { first: 250, most: 60_000 },
  retryStores: { first: 100, most: 2_000 },
  checkpointMilliseconds: 1_000,
  reactorCheckpointMilliseconds: 100,
  besideMilliseconds: 250,
  versionMilliseconds: 1_000,
  pageSize: 1_000,
  batch: { events: 1_000, characters: 1_000_000 },
  reactorPageSize: 100,
};
