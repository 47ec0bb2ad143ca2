import { Injectable } from '@nestjs/common';
import { budgets } from '../../kernel/budgets.js';
import { SystemClock } from '../../runtime/system-clock.js';

/** A request of somebody who follows the log. */
interface FollowRequest {
  readonly userId: number;
  /** Identifies the selection, so that different requests of one person are distinguished. */
  readonly asked: string;
  /** Only events after this position. */
  readonly after: number;
}

/** What somebody has followed so far. */
interface FollowSession {
  /** The position after which, according to the recorded access, they read. */
  readonly after: number;
  /** Until when a next request counts as a continuation, in milliseconds since the UNIX epoch. */
  readonly until: number;
}

/** Milliseconds without a request after which a session has ended. */
const SESSION_TIMEOUT = 60_000;

/**
 * The sessions of people who follow the log in this process. A session is recorded once, when it begins, with the position
 * after which the person reads everything that comes. A request for earlier events is a separate access.
 */
@Injectable()
export class FollowSessions {
  private readonly sessions = new Map<string, FollowSession>();

  constructor(private readonly clock: SystemClock) {}

  /** Notes a request. @returns whether it continues a session that was already recorded */
  continues({ userId, asked, after }: FollowRequest): boolean {
    const key = `${userId} ${asked}`;
    const now = this.clock.now();
    const before = this.sessions.get(key);
    const isSame = before !== undefined && before.until >= now && before.after <= after;
    // Map order is insertion order, so the first entry is the one with the oldest request.
    this.sessions.delete(key);
    this.sessions.set(key, { after: isSame ? before.after : after, until: now + SESSION_TIMEOUT });
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= budgets.followSessions.max) break;
      this.sessions.delete(oldest);
    }
    return isSame;
  }

  /** Forgets a session that could not be recorded. */
  forget({ userId, asked }: Pick<FollowRequest, 'userId' | 'asked'>): void {
    this.sessions.delete(`${userId} ${asked}`);
  }
}
