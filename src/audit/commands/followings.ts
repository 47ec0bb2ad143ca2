import { Injectable } from '@nestjs/common';
import { budgets } from '../../kernel/budgets.js';
import { SystemClock } from '../../runtime/system-clock.js';

/** Who follows what of the log, and from where. */
export interface Following {
  readonly userId: number;
  /** What tells what they asked for from anything else that they might. */
  readonly asked: string;
  /** Only events behind this position. */
  readonly after: number;
}

interface Known {
  /** From where on the record of the following says that they read. */
  readonly after: number;
  /** Until when the next request goes on with it, in milliseconds since the UNIX epoch. */
  readonly until: number;
}

/** Whoever has not asked for so long does not follow any more: milliseconds. */
const GOES_ON_WITHIN = 60_000;

/**
 * Who follows the log in this process: whose next look is of one following, which was recorded when it began, and says from where on
 * they read whatever comes. A look further back is another one.
 */
@Injectable()
export class Followings {
  private readonly known = new Map<string, Known>();

  constructor(private readonly clock: SystemClock) {}

  /** Takes note of a look. @returns whether it goes on with a following that was recorded */
  goesOn({ userId, asked, after }: Following): boolean {
    const key = `${userId} ${asked}`;
    const now = this.clock.now();
    const before = this.known.get(key);
    const isSame = before !== undefined && before.until >= now && before.after <= after;
    // The one that was asked for longest ago is the first.
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
