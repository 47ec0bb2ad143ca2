import { Directory } from '../../access/directory.js';
import { isDirectoryEvent, type DirectoryEvent } from '../../access/directory-event-types.js';
import { channelDirectoryEvents } from '../../events/channels.js';
import { UsersSubscribed, UsersUnsubscribed } from '../../events/subscriptions.js';
import { PersonErased } from '../../events/erasure.js';
import { organizationEvents } from '../../events/organization.js';
import { userGroupEvents } from '../../events/user-groups.js';
import { userEvents } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import {
  decodeReadable,
  isReadable,
  withoutDecrypting,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';

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

/** Some of the events that determine permissions, in log order. */
interface AccessPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** The log was read up to this position. */
  readonly position: number;
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
    // The event that was applied last may be far behind, so reading starts where the earlier reading stopped.
    let after = nearest?.after ?? null;
    for await (const page of this.pagesOf({ after, through: position }, deadline)) {
      for (const event of page.events) {
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
    }
    const found = { directory, unreadable, position, after };
    this.keep(found);
    return found;
  }

  /**
   * The later events that determine permissions, in log order; those that cannot be read are left out.
   *
   * @throws the error of the deadline
   */
  async *changesAfter(
    position: number,
    deadline: QueryDeadline,
  ): AsyncGenerator<RecordedEvent<DirectoryEvent>> {
    for await (const { events } of this.pagesOf({ after: position, through: Infinity }, deadline)) {
      for (const event of events) if (isReadable(event) && isDirectoryEvent(event)) yield event;
    }
  }

  private async *pagesOf(
    { after, through }: { readonly after: number | null; readonly through: number },
    deadline: QueryDeadline,
  ): AsyncGenerator<AccessPage> {
    const clear = withoutDecrypting(this.log);
    for await (const page of this.log.store.readAll({ after, types: accessTypes })) {
      deadline.throwIfOver();
      const events = page.events.filter((event) => event.position <= through);
      yield { events: await decodeReadable(clear, events), position: page.position };
      if (page.position >= through) return;
    }
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
