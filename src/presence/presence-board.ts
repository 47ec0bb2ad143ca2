import { Injectable } from '@nestjs/common';
import { isOnline, latest, reported, rememberedFor, type Presence, type PresenceStatus } from './presence.js';

interface Entry {
  readonly presence: Presence;
  readonly updateId: number;
}

/** What became of a report. */
export interface Reported {
  readonly presence: Presence;
  /** Whether the person came back: others are told at once, and of the rest when they ask. */
  readonly cameOnline: boolean;
}

/**
 * Who is here, as far as this process knows: in memory alone, because it is no fact to keep. It holds at most one
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
  report(userId: number, status: PresenceStatus, at: number): Reported {
    const known = this.of(userId);
    const presence = reported(known, { userId, status, at });
    this.put(presence, at);
    return { presence, cameOnline: isOnline(presence, at) && (known === null || !isOnline(known, at)) };
  }

  /** Takes note of what another process knows. */
  learn(presence: Presence, now: number): void {
    const known = this.of(presence.userId);
    const merged = known === null ? presence : latest(known, presence);
    if (known?.activeAt === merged.activeAt && known.connectedAt === merged.connectedAt) return;
    this.put(merged, now);
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

  private put(presence: Presence, now: number): void {
    this.lastUpdateId = Math.max(this.lastUpdateId + 1, now);
    this.entries.delete(presence.userId);
    this.entries.set(presence.userId, { presence, updateId: this.lastUpdateId });
    this.forgetBefore(now - rememberedFor);
  }

  private forgetBefore(time: number): void {
    for (const [userId, { presence }] of this.entries) {
      if (presence.connectedAt >= time) return;
      this.entries.delete(userId);
    }
  }
}
