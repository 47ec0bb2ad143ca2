import { Injectable } from '@nestjs/common';
import { Directory } from '../../access/directory.js';
import { isDirectoryEvent } from '../../access/directory-event-types.js';
import { channelDirectoryEvents, UsersSubscribed, UsersUnsubscribed } from '../../events/channels.js';
import { PersonErased } from '../../events/erasure.js';
import { organizationEvents } from '../../events/organization.js';
import { userGroupEvents } from '../../events/user-groups.js';
import { userEvents } from '../../events/users.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';

/** What permissions follow from: not how anything looks or is called. */
const accessTypes: readonly string[] = [
  ...organizationEvents,
  ...userEvents,
  ...userGroupEvents,
  ...channelDirectoryEvents,
  UsersSubscribed,
  UsersUnsubscribed,
  PersonErased,
].map(({ type }) => type);

/** A directory is kept for every so many events: whoever steps through the past begins at the nearest. */
const EVENTS_BETWEEN = 4_096;
const MAX_KEPT = 24;

/** Who may do what, as of some position. */
export interface PastAccess {
  readonly directory: Directory;
  /** How many events of before could not be read: what followed from them is not in it. */
  readonly unreadable: number;
}

interface Kept extends PastAccess {
  /** Everything up to here is in it. */
  readonly position: number;
  /** A place of the log at that position or shortly before it, from which the next reading goes on; null: the beginning. */
  readonly after: number | null;
}

/**
 * Who existed and who might do what at positions of the past, folded from the few events that say so. Nothing that is erasable is in
 * it: names and addresses are placeholders. A look near an earlier one reads only what lies between.
 */
@Injectable()
export class PastPermissions {
  /** Rising by position. */
  private kept: Kept[] = [];

  constructor(private readonly log: EventLog) {}

  /**
   * As of a position that the log holds. Nobody changes what is answered.
   *
   * @throws what the deadline ends it with
   */
  async at(position: number, deadline: QueryDeadline): Promise<PastAccess> {
    const nearest = this.kept.findLast((one) => one.position <= position);
    if (nearest?.position === position) return nearest;
    const directory = nearest?.directory.copy() ?? new Directory();
    let unreadable = nearest?.unreadable ?? 0;
    let applied = 0;
    const clear = {
      decode: (events: Parameters<EventLog['decodeClear']>[0]) => this.log.decodeClear(events),
    };
    // Where it was last applied to may lie far behind: what lies between was looked through already.
    let after = nearest?.after ?? null;
    for await (const page of this.log.store.readAll({ after, types: accessTypes })) {
      deadline.throwIfOver();
      const events = page.events.filter((event) => event.position <= position);
      for (const event of await decodeReadable(clear, events)) {
        if (!isReadable(event)) unreadable += 1;
        else if (isDirectoryEvent(event)) directory.apply(event);
        applied += 1;
        if (applied % EVENTS_BETWEEN === 0)
          this.keep({
            directory: directory.copy(),
            unreadable,
            position: event.position,
            after: event.position,
          });
      }
      if (page.position <= position) after = page.position;
      if (page.position >= position) break;
    }
    const found = { directory, unreadable, position, after };
    this.keep(found);
    return found;
  }

  private keep(one: Kept): void {
    const others = this.kept.filter(({ position }) => position !== one.position);
    this.kept = [...others, one].sort((a, b) => a.position - b.position);
    // The closest to its neighbour is the one that is missed least.
    while (this.kept.length > MAX_KEPT) this.kept.splice(closestOf(this.kept), 1);
  }
}

/** @returns the index of the one, but for the last, that follows the one before it most closely */
function closestOf(kept: readonly Kept[]): number {
  let closest = 0;
  let distance = Infinity;
  for (let index = 0; index < kept.length - 1; index += 1) {
    const gap = kept[index]!.position - (kept[index - 1]?.position ?? 0);
    if (gap <= distance) [closest, distance] = [index, gap];
  }
  return closest;
}
