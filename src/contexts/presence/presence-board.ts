import { Injectable } from '@nestjs/common';
import {
  isOnline,
  latest,
  reported,
  REMEMBERED_FOR,
  type Presence,
  type PresenceStatus,
} from './presence.js';

interface Entry {
  readonly presence: Presence;
  readonly updateId: number;
}

/** What is known about a person after a report. */
export interface PresenceUpdate {
  readonly presence: Presence;
  /** Whether the person came back: only then others get an event at once. */
  readonly cameOnline: boolean;
}

/** What is known about a person after a signal of another process. */
interface MergedPresence extends PresenceUpdate {
  /** Whether this process knows later times than the other one. */
  readonly knowsMore: boolean;
}

/**
 * Everyone's presence as far as this process knows, in memory only, because it is not worth keeping
 * (docs/adr/0017). It has at most one entry for each account, and none older than {@link REMEMBERED_FOR}.
 */
@Injectable()
export class PresenceBoard {
  /** In the order of their update ids. */
  private readonly entries = new Map<number, Entry>();

  /**
   * Id of the last change; a client names it in order to request later changes. An id is at least the time of its
   * change in milliseconds since the UNIX epoch, so ids increase, even over restarts. -1: nothing changed yet.
   */
  lastUpdateId = -1;

  /** Records a client's report at a time, in milliseconds since the UNIX epoch. */
  report(userId: number, status: PresenceStatus, at: number): PresenceUpdate {
    return this.note(reported(this.of(userId), { userId, status, at }), at);
  }

  /** Records what another process knows. */
  merge(signal: Presence, now: number): MergedPresence {
    const known = this.of(signal.userId);
    const presence = known === null ? signal : latest(known, signal);
    const noted =
      known !== null && isSame(known, presence) ? { presence, cameOnline: false } : this.note(presence, now);
    return { ...noted, knowsMore: !isSame(presence, signal) };
  }

  /** Null for a person who was not here lately. */
  of(userId: number): Presence | null {
    return this.entries.get(userId)?.presence ?? null;
  }

  /** In the order of their update ids. */
  *changedSince(updateId: number, since: number): Iterable<Presence> {
    for (const entry of this.entries.values()) {
      if (entry.updateId > updateId && entry.presence.connectedAt >= since) yield entry.presence;
    }
  }

  private note(presence: Presence, now: number): PresenceUpdate {
    const known = this.of(presence.userId);
    this.lastUpdateId = Math.max(this.lastUpdateId + 1, now);
    this.entries.delete(presence.userId);
    this.entries.set(presence.userId, { presence, updateId: this.lastUpdateId });
    this.forgetBefore(now - REMEMBERED_FOR);
    return { presence, cameOnline: isOnline(presence, now) && (known === null || !isOnline(known, now)) };
  }

  private forgetBefore(time: number): void {
    for (const [userId, { presence }] of this.entries) {
      if (presence.connectedAt >= time) return;
      this.entries.delete(userId);
    }
  }
}

function isSame(one: Presence, other: Presence): boolean {
  return one.activeAt === other.activeAt && one.connectedAt === other.connectedAt;
}
