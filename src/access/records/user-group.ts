import { definedOf, unreachable } from '../../kernel/json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UserGroupEvent, UserGroupPermissions } from '../../events/user-groups.js';

/** A user group. The members of system groups follow from roles: see `membership.ts`. */
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

/** Applies an event of the stream `groups` to its group; null before that was created. */
export function evolveUserGroup(
  group: UserGroup | null,
  event: RecordedEvent<UserGroupEvent>,
): UserGroup | null {
  if (event.type === 'UserGroupCreated') return created(event);
  return group === null ? null : evolveExisting(group, event);
}

type Created = Extract<RecordedEvent<UserGroupEvent>, { type: 'UserGroupCreated' }>;

function created({ data, metadata }: Created): UserGroup {
  const { groupId: id, ...facts } = data;
  const { actorId: creatorId, at: createdAt } = metadata;
  return { id, ...facts, creatorId, createdAt, isDeactivated: false };
}

function evolveExisting(group: UserGroup, event: Exclude<RecordedEvent<UserGroupEvent>, Created>): UserGroup {
  switch (event.type) {
    case 'UserGroupMembersChanged':
      return { ...group, memberIds: changed(group.memberIds, event.data) };
    case 'UserGroupSubgroupsChanged':
      return { ...group, subgroupIds: changed(group.subgroupIds, event.data) };
    case 'UserGroupRenamed':
      return { ...group, name: event.data.name };
    case 'UserGroupDescriptionChanged':
      return { ...group, description: event.data.description };
    case 'UserGroupPermissionsChanged':
      return { ...group, permissions: { ...group.permissions, ...definedOf(event.data.permissions) } };
    case 'UserGroupDeactivated':
      return { ...group, isDeactivated: true };
    case 'UserGroupReactivated':
      return { ...group, isDeactivated: false };
    default:
      return unreachable(event);
  }
}

interface Changes {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

function changed(ids: readonly number[], { added, removed }: Changes): number[] {
  const moving = new Set([...removed, ...added]);
  return [...ids.filter((id) => !moving.has(id)), ...added];
}
