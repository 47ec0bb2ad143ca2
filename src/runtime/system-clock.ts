import type { Clock } from '../kernel/clock.js';

/** The time of this machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }
}
