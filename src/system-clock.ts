import { Injectable } from '@nestjs/common';
import type { Clock } from './kernel/clock.js';

/** The time of this machine. */
@Injectable()
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }
}
