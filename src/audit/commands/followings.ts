import { Injectable } from '@nestjs/common';
import { budgets } from '../../kernel/budgets.js';
import { SystemClock } from '../../runtime/system-clock.js';

/** Who follows which part of the log, and from where. */
interface Following {
  readonly userId: number;
  /** Identifies the selection, so that different requests of one person are told apart. */
  readonly asked: string;
  /** Only events after this position. */
  readonly after: number;
}

interface Known {
  /** The position after which, according to the recorded access, they read. */
  readonly after: number;
  /** Until when a next request counts as a continuation, in milliseconds since the UNIX epoch. */
  readonly until: number;
}

/** Milliseconds without a request after which somebody does not follow any more. */
const GOES_ON_WITHIN = 60_000;

/**
 * Knows who follows the log in this process. Following is recorded once, when it begins, with the position after which
 * the person reads everything that comes. A request for earlier events is a separate access.
 */
@Injectable()
export class Followings {
  private readonly known = new Map<string, Known>();

  constructor(private readonly clock: SystemClock) {}

  /** Notes a request. @returns whether it continues a following that was already recorded */
  goesOn({ userId, asked, after }: Following): boolean {
    const key = `${userId} ${asked}`;
    const now = this.clock.now();
    const before = this.known.get(key);
    const isSame = before !== undefined && before.until >= now && before.after <= after;
    // Map order is insertion order, so the first entry is the one with the oldest request.
    this.known.delete(key);
    this.known.set(key, { after: isSame ? before.after : after, until: now + GOES_ON_WITHIN });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= budgets.followings.max) break;
      this.known.delete(oldest);
    }
    return isSame;
  }

  /** Forgets a following that could not be recorded. */
  forget({ userId, asked }: Pick<Following, 'userId' | 'asked'>): void {
    this.known.delete(`${userId} ${asked}`);
  }
}
