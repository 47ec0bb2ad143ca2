import type { Stoppage } from './progress.js';

/** How a reactor is doing, as this process knows. */
export interface ReactorStatus {
  readonly reactor: string;
  /**
   * `acting`: it follows the log here; `halted`: it stands before an event, which is tried again from time to time;
   * `unavailable`: a store keeps it from working; `standby`: another process, if any, runs it.
   */
  readonly state: 'acting' | 'halted' | 'unavailable' | 'standby';
  /** Everything up to here was acted on; null: not known, or nothing was. */
  readonly position: number | null;
  /** The types of events that it acts on. */
  readonly types: readonly string[];
  /** For how long it has stood still, in milliseconds. */
  readonly stoppedMilliseconds: number;
  readonly stoppage: Stoppage | null;
}

/** What operators call a reactor by, among read models. */
export function reactorTitle(name: string): string {
  return `reactor:${name}`;
}
