import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { SystemClock } from '../../runtime/system-clock.js';

/** Milliseconds: people who used a key within the last fourteen days count as active. */
const ACTIVE_FOR = 14 * 86_400_000;

/** Milliseconds for which the answer is cached. */
const KNOWN_FOR = 60_000;

/** How many accounts are looked up before other requests get their turn. */
const AT_ONCE = 500;

/** When keys of people were used; implemented by the users context. */
export abstract class KeyActivity {
  /**
   * Ids of those of the accounts with a key that was used or issued at or after a time, in milliseconds since
   * the UNIX epoch.
   */
  abstract activeSince(userIds: readonly number[], since: number): Promise<ReadonlySet<number>>;
}

/** The people who were active lately, by the use of their keys; at most two minutes out of date. */
@Injectable()
export class ActivePeople {
  private known: { readonly at: number; readonly ids: Promise<ReadonlySet<number>> } | null = null;

  constructor(
    private readonly keys: KeyActivity,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Ids of the active people, without bots. */
  ids(): Promise<ReadonlySet<number>> {
    const now = this.clock.now();
    if (this.known === null || now - this.known.at >= KNOWN_FOR) {
      const ids = this.lookUp(now - ACTIVE_FOR);
      const known = { at: now, ids };
      this.known = known;
      ids.catch(() => {
        if (this.known === known) this.known = null;
      });
    }
    return this.known.ids;
  }

  private async lookUp(since: number): Promise<ReadonlySet<number>> {
    const people = [...this.follower.current().users()].filter(
      ({ isActive, bot }) => isActive && bot === null,
    );
    const active = new Set<number>();
    for (let first = 0; first < people.length; first += AT_ONCE) {
      const ids = people.slice(first, first + AT_ONCE).map(({ id }) => id);
      for (const id of await this.keys.activeSince(ids, since)) active.add(id);
      await setImmediate();
    }
    return active;
  }
}
