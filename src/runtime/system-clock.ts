import type { Clock } from '../kernel/clock.js';

/** The clock of this machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }
}
