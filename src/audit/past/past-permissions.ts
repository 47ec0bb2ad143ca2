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

/** Types of events that determine permissions, as opposed to names and appearance. */
const accessTypes: readonly string[] = [
  ...organizationEvents,
  ...userEvents,
  ...userGroupEvents,
  ...channelDirectoryEvents,
  UsersSubscribed,
  UsersUnsubscribed,
  PersonErased,
].map(({ type }) => type);

/** A directory is kept for every this many events, so that another request can start at the nearest one. */
const EVENTS_BETWEEN = 4_096;
const MAX_KEPT = 24;

/** Who may do what as of some position. */
interface PastAccess {
  readonly directory: Directory;
  /** How many earlier events could not be read. Their effects are missing. */
  readonly unreadable: number;
}

interface Kept extends PastAccess {
  /** Everything up to this position is included. */
  readonly position: number;
  /**
   * A position of the log, at or shortly before `position`, after which the next reading starts; null: the beginning.
   */
  readonly after: number | null;
}

/**
 * Who existed and who was allowed what at positions of the past, folded from the few events that decide it. It
 * contains no erasable data: names and addresses are placeholders. A request near an earlier one reads only the events
 * between them.
 */
@Injectable()
export class PastPermissions {
  /** Ascending by position. */
  private kept: Kept[] = [];

  constructor(private readonly log: EventLog) {}

  /**
   * The permissions as of a position that is in the log. Callers must not modify the result.
   *
   * @throws the error of the deadline
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
    // The event that was applied last may be far behind, so reading starts where the earlier reading stopped.
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
    // Drops the entry closest to its predecessor, which costs the least to rebuild.
    while (this.kept.length > MAX_KEPT) this.kept.splice(closestOf(this.kept), 1);
  }
}

/** @returns the index of the entry, except the last, that is closest to its predecessor */
function closestOf(kept: readonly Kept[]): number {
  let closest = 0;
  let distance = Infinity;
  for (let index = 0; index < kept.length - 1; index += 1) {
    const gap = kept[index]!.position - (kept[index - 1]?.position ?? 0);
    if (gap <= distance) [closest, distance] = [index, gap];
  }
  return closest;
}
