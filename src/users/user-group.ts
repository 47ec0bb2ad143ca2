import type { RecordedEvent } from '../kernel/event.js';
import { unreachable } from '../kernel/json.js';
import type { UserGroupEvent, UserGroupPermissions } from './events.js';

/** A user group. Who belongs to a system group follows from roles: see {@link Directory.isMember}. */
export interface UserGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
  /** Null for system groups. */
  readonly creatorId: number | null;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly permissions: UserGroupPermissions;
  readonly isDeactivated: boolean;
}

/** What an event of the stream `groups` makes of the group that it speaks of; null before it was created. */
export function evolveUserGroup(
  group: UserGroup | null,
  event: RecordedEvent<UserGroupEvent>,
): UserGroup | null {
  switch (event.type) {
    case 'UserGroupCreated': {
      const { groupId: id, ...rest } = event.data;
      const { actorId: creatorId, at: createdAt } = event.metadata;
      return { id, ...rest, creatorId, createdAt, isDeactivated: false };
    }
    case 'UserGroupMembersChanged': {
      if (group === null) return null;
      const { added, removed } = event.data;
      const kept = group.memberIds.filter((member) => !removed.includes(member) && !added.includes(member));
      return { ...group, memberIds: [...kept, ...added] };
    }
    default:
      return unreachable(event);
  }
}
