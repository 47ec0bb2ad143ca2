import type { Stoppage } from './progress.js';

/** The status of a reactor, as far as this process knows. */
export interface ReactorStatus {
  readonly reactor: string;
  /**
   * `acting`: it follows the log here; `halted`: it has stopped at an event, which is retried; `unavailable`: a store that it cannot reach, or a
   * model that lags, stops it; `standby`: another process, if any, runs it.
   */
  readonly state: 'acting' | 'halted' | 'unavailable' | 'standby';
  /** Position of the last handled event; null: unknown, or none. */
  readonly position: number | null;
  /** The types of events that it handles. */
  readonly types: readonly string[];
  /** How long it has been stopped, in milliseconds. */
  readonly stoppedMilliseconds: number;
  readonly stoppage: Stoppage | null;
}

/** The name of a reactor in lists of read models. */
export function reactorTitle(name: string): string {
  return `reactor:${name}`;
}
