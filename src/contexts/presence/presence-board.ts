import { Injectable } from '@nestjs/common';
import { isOnline, latest, reported, rememberedFor, type Presence, type PresenceStatus } from './presence.js';

interface Entry {
  readonly presence: Presence;
  readonly updateId: number;
}

/** What is known of somebody after a report. */
export interface Noted {
  readonly presence: Presence;
  /** Whether the person came back: others are told at once, and of the rest when they ask. */
  readonly cameOnline: boolean;
}

/** The same after what another process said. */
export interface Learnt extends Noted {
  /** Whether this process knows of later times than the other one does. */
  readonly knowsMore: boolean;
}

/**
 * Who is here, as far as this process knows: in memory alone, because it is no fact to keep (docs/adr/0017). It holds at most one
 * entry for each account, and none that is older than {@link rememberedFor}.
 */
@Injectable()
export class PresenceBoard {
  /** In the order of their update ids. */
  private readonly entries = new Map<number, Entry>();

  /**
   * Id of the last change, by which clients ask for what came after. Ids rise, and begin anew at the time of day: what a client
   * knew from a process that is gone lies before everything that this one tells. -1: nothing changed yet.
   */
  lastUpdateId = -1;

  /** Takes note of what a client says at a time, in milliseconds since the UNIX epoch. */
  report(userId: number, status: PresenceStatus, at: number): Noted {
    return this.note(reported(this.of(userId), { userId, status, at }), at);
  }

  /** Takes note of what another process knows. */
  learn(told: Presence, now: number): Learnt {
    const known = this.of(told.userId);
    const presence = known === null ? told : latest(known, told);
    const noted =
      known !== null && isSame(known, presence) ? { presence, cameOnline: false } : this.note(presence, now);
    return { ...noted, knowsMore: !isSame(presence, told) };
  }

  /** Null for somebody who was not here lately. */
  of(userId: number): Presence | null {
    return this.entries.get(userId)?.presence ?? null;
  }

  /** Everyone whose presence changed after an update, and who was here at or after a time. */
  *changedSince(updateId: number, since: number): Iterable<Presence> {
    for (const entry of this.entries.values()) {
      if (entry.updateId > updateId && entry.presence.connectedAt >= since) yield entry.presence;
    }
  }

  private note(presence: Presence, now: number): Noted {
    const known = this.of(presence.userId);
    this.lastUpdateId = Math.max(this.lastUpdateId + 1, now);
    this.entries.delete(presence.userId);
    this.entries.set(presence.userId, { presence, updateId: this.lastUpdateId });
    this.forgetBefore(now - rememberedFor);
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
