import pLimit from 'p-limit';
import { Directory } from '../../access/directory.js';
import { isDirectoryEvent, type DirectoryEvent } from '../../access/directory-event-types.js';
import { isAuditingGroup, mayAudit } from '../../access/permissions.js';
import { isActiveOwner } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import { UserDeactivated, UserReactivated } from '../../events/deactivation.js';
import { PersonErased } from '../../events/erasure.js';
import {
  organizationEvents,
  OrganizationPermissionsChanged,
  OrganizationSettingsChanged,
} from '../../events/organization.js';
import {
  userGroupEvents,
  UserGroupDeactivated,
  UserGroupMembersChanged,
  UserGroupReactivated,
  UserGroupSubgroupsChanged,
} from '../../events/user-groups.js';
import { userEvents, UserRegistered, UserRoleChanged } from '../../events/users.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { handlers, on } from '../../kernel/event-handlers.js';
import { sortedIds } from '../../kernel/ids.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable, withoutDecrypting } from '../../stores/event-store/readable-events.js';

/** Types of events that determine who exists, with which role, in which groups, and which permissions these have. */
const foldedTypes: readonly string[] = [
  ...organizationEvents,
  ...userEvents,
  ...userGroupEvents,
  PersonErased,
].map(({ type }) => type);

/** Events about one account that can make it an auditor's, or end that. */
const personEvents = [
  UserRegistered,
  UserRoleChanged,
  UserDeactivated,
  UserReactivated,
  PersonErased,
] as const;

/** Events about a group with all its members. */
const groupEvents = [UserGroupSubgroupsChanged, UserGroupDeactivated, UserGroupReactivated] as const;

/** Events that can change who may read the log. */
export const auditorEvents = [
  OrganizationPermissionsChanged,
  OrganizationSettingsChanged,
  UserGroupMembersChanged,
  ...groupEvents,
  ...personEvents,
] as const;

/** What an event changed about who may read the log. */
export interface AuditorChange {
  /** Ids of the people who became auditors by the event. */
  readonly came: readonly number[];
  readonly left: readonly number[];
  /**
   * Ids of the active people who were owners just before the event; empty if it neither changed who the auditors are
   * nor concerned everybody, because finding the owners takes a look at every account.
   */
  readonly ownerIds: readonly number[];
}

/** Ids of the accounts that an event can concern; null: any. */
type Concerned = readonly number[] | null;

const concernedBy = handlers<(event: RecordedEvent) => (snapshot: Snapshot) => Concerned>(
  on(personEvents, ({ data }: Recorded<(typeof personEvents)[number]>) => () => [data.userId]),
  on(
    UserGroupMembersChanged,
    ({ data: { groupId, added, removed } }) =>
      (snapshot) =>
        isAuditingGroup(snapshot, groupId) ? [...added, ...removed] : [],
  ),
  on(
    groupEvents,
    ({ data }: Recorded<(typeof groupEvents)[number]>) =>
      (snapshot) =>
        isAuditingGroup(snapshot, data.groupId) ? null : [],
  ),
  on(
    OrganizationPermissionsChanged,
    ({ data }) =>
      () =>
        data.permissions.can_audit_group === undefined ? [] : null,
  ),
  on(
    OrganizationSettingsChanged,
    ({ data }) =>
      () =>
        data.settings.waiting_period_threshold === undefined ? [] : null,
  ),
);

/**
 * Finds what events changed about who may read the log, from the log alone: the answer for an event is the same
 * whenever it is asked. People, groups and permissions are folded once and kept as of the last event that was asked
 * for; an earlier event makes it begin again.
 */
export class AuditorChanges {
  private directory = new Directory();
  /** The log was read up to this position; null: from the beginning. */
  private readTo: number | null = null;
  /** Events that were read and that the directory does not include yet. */
  private ahead: RecordedEvent<DirectoryEvent>[] = [];
  private last: { readonly eventId: string; readonly change: AuditorChange } | null = null;
  private readonly oneAtATime = pLimit(1);

  constructor(private readonly log: Pick<EventLog, 'store' | 'decodeWithoutDecrypting'>) {}

  /**
   * Concurrent questions are answered one after another, because they share the directory.
   *
   * @param event one of {@link auditorEvents}
   */
  by(event: RecordedEvent): Promise<AuditorChange> {
    return this.oneAtATime(() => this.find(event));
  }

  private async find(event: RecordedEvent): Promise<AuditorChange> {
    if (this.last?.eventId === event.id) return this.last.change;
    await this.advanceTo(event.position);
    const change = await this.apply(event);
    this.last = { eventId: event.id, change };
    return change;
  }

  private async apply(event: RecordedEvent): Promise<AuditorChange> {
    // Time passing alone makes people full members, so both sides are judged at the time of the event.
    const { directory } = this;
    const snapshot = { directory, now: event.metadata.at };
    const audits = (user: User): boolean => mayAudit(snapshot, user);
    const concerned = concernedBy[event.type]?.(event)(snapshot) ?? null;
    const before = await idsOf(directory, concerned, audits);
    const concernedOwners = await idsOf(directory, concerned ?? [], isActiveOwner);
    if (isDirectoryEvent(event)) directory.apply(event);
    const after = await idsOf(directory, concerned, audits);
    const [came, left] = [without(after, before), without(before, after)];
    if (concerned !== null && came.length + left.length === 0) return { came, left, ownerIds: [] };
    // The event changed no other account, so these were owners before it too.
    const otherOwners = without(await idsOf(directory, null, isActiveOwner), concerned ?? []);
    return { came, left, ownerIds: sortedIds([...concernedOwners, ...otherOwners]) };
  }

  /** Makes the directory include all events before a position, at which an event is. */
  private async advanceTo(position: number): Promise<void> {
    if ((this.directory.position ?? -1) >= position) this.restart();
    for (let hasMore = true; ; hasMore = await this.readPage()) {
      await this.applyBefore(position);
      if (!hasMore || this.ahead.length > 0 || (this.readTo ?? -1) >= position) return;
    }
  }

  private async applyBefore(position: number): Promise<void> {
    const next = this.ahead.findIndex((event) => event.position >= position);
    const slice = new TimeSlice();
    for (const event of this.ahead.splice(0, next === -1 ? this.ahead.length : next)) {
      this.directory.apply(event);
      if (slice.isOver) await slice.next();
    }
  }

  private restart(): void {
    this.directory = new Directory();
    this.readTo = null;
    this.ahead = [];
  }

  /** @returns whether there may be more to read */
  private async readPage(): Promise<boolean> {
    for await (const page of this.log.store.readAll({ after: this.readTo, types: foldedTypes })) {
      const events = await decodeReadable(withoutDecrypting(this.log), page.events);
      for (const event of events) if (isReadable(event) && isDirectoryEvent(event)) this.ahead.push(event);
      this.readTo = page.position;
      return !page.live;
    }
    return false;
  }
}

/** Ids of those of the accounts for which a condition holds, in rising order; null: of all accounts. */
async function idsOf(
  directory: Directory,
  concerned: Concerned,
  holds: (user: User) => boolean,
): Promise<readonly number[]> {
  const users = concerned?.flatMap((id) => directory.user(id) ?? []) ?? directory.users();
  const ids: number[] = [];
  const slice = new TimeSlice();
  for (const user of users) {
    if (holds(user)) ids.push(user.id);
    if (slice.isOver) await slice.next();
  }
  return sortedIds(ids);
}

function without(ids: readonly number[], excluded: readonly number[]): readonly number[] {
  const set = new Set(excluded);
  return ids.filter((id) => !set.has(id));
}
