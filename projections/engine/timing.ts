import type { BatchLimits } from './event-applier.js';
import type { BackoffBounds } from './pause.js';

/** Sizes and times of the engine; tests make them small. */
export interface EngineTiming {
  /** After how long a lease expires without renewal. */
  readonly leaseMilliseconds: number;
  /** Delays between retries of a poison event. */
  readonly retryPoison: BackoffBounds;
  /** Delays between retries after a store error. */
  readonly retryStores: BackoffBounds;
  /** How long a stored checkpoint may be behind when only irrelevant events follow. */
  readonly checkpointMilliseconds: number;
  /** How long the stored checkpoint of a reactor may be behind after it acted. */
  readonly reactorCheckpointMilliseconds: number;
  /** How long a model that nobody waits for pauses between batches, to make them larger. */
  readonly backgroundMilliseconds: number;
  /** Interval at which the serving version is read, in case that another process cut over. */
  readonly versionMilliseconds: number;
  /** Maximum number of events read at once. */
  readonly pageSize: number;
  readonly batch: BatchLimits;
  /** Maximum number of events that a reactor reads at once. */
  readonly reactorPageSize: number;
  /** How long a reactor may not know that only irrelevant events follow, in milliseconds: most events concern few reactors. */
  readonly reactorPositionDelay: number;
}

/** The timing of a server. */
export const engineTiming: EngineTiming = {
  leaseMilliseconds: 10_000,
  retryPoison: { first: 250, max: 60_000 },
  retryStores: { first: 100, max: 2_000 },
  checkpointMilliseconds: 1_000,
  reactorCheckpointMilliseconds: 100,
  backgroundMilliseconds: 250,
  versionMilliseconds: 1_000,
  pageSize: 1_000,
  batch: { events: 1_000, backgroundEvents: 16, characters: 1_000_000 },
  reactorPageSize: 100,
  reactorPositionDelay: 100,
};
