import type { EventReference } from './poison-event.js';

/**
 * What is being done for a model here.
 *
 * - `standby`: another process holds the lease and does the work.
 * - `building`: it catches up for the first time and serves nothing yet.
 * - `catching-up`, `live`: it serves, and follows the log.
 * - `halted`: it is halted at a poison event, which is tried again from time to time.
 * - `unavailable`: a store keeps it from working.
 * - `frozen`: another version serves as it stands, while that of this code is built beside it, or because the code is
 *   older than what serves.
 * - `paused`: an operator stopped it for a while.
 * - `stopped`: nothing is done.
 */
export type ProjectionState =
  | 'standby'
  | 'building'
  | 'catching-up'
  | 'live'
  | 'halted'
  | 'unavailable'
  | 'frozen'
  | 'paused'
  | 'stopped';

/** Whether this process keeps a model up to date: otherwise another one does, if any. */
export function isKeptHere(state: ProjectionState | null): boolean {
  return state !== null && state !== 'standby' && state !== 'stopped';
}

/** Why a model does not advance. */
export interface Stoppage {
  readonly reason: string;
  /** The poison event; null: there is another reason. */
  readonly event: EventReference | null;
}

/** The progress of one version of a model. */
export interface ProjectionProgress {
  readonly projection: string;
  /** The stored version: see `stored-version.ts`. */
  readonly version: number;
  /** Position up to which all relevant events are in the documents; null: before the first event. */
  readonly position: number | null;
  readonly state: ProjectionState;
  /** The number of events applied since this runner started; absent: they are not counted. */
  readonly events?: number;
  readonly stoppage: Stoppage | null;
}

/** Receives the progress of runners. Must not throw. */
export type ProgressListener = (progress: ProjectionProgress) => void;
