import { stream } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { nameKey } from '../../kernel/text.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import { groupNameOf } from './names.js';
import { renamed } from '../../access/named-records.js';
import { evolveUserGroup, type UserGroup } from '../../access/records/user-group.js';

/** The stream that reserves the names of user groups and holds their members. */
export const GROUPS_STREAM = 'groups';

/** All user groups, folded from the stream `groups`. */
export interface GroupDirectory {
  readonly groups: PersistentMap<number, UserGroup>;
  readonly idsByName: PersistentMap<string, number>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds the stream `groups`. */
export const groupDirectoryFold: Fold<GroupDirectory, RecordedEvent<UserGroupEvent>> = {
  snapshot: { name: 'user-groups', version: 1 },
  initial: { groups: PersistentMap.empty(), idsByName: PersistentMap.empty(), nextRevision: 0 },
  evolve(directory, event) {
    const nextRevision = event.revision + 1;
    const { groupId } = event.data;
    const before = directory.groups.get(groupId) ?? null;
    const group = evolveUserGroup(before, event);
    if (group === null) return { ...directory, nextRevision };
    return {
      groups: directory.groups.set(groupId, group),
      idsByName: renamed(directory.idsByName, before, group),
      nextRevision,
    };
  },
};

/** The stream of the user groups, for decisions about them. */
export const foldedGroups = stream(GROUPS_STREAM, groupDirectoryFold);

/**
 * Checks that no other group has the name.
 *
 * @throws ApplicationError `userGroupNameTaken`, and those of {@link groupNameOf}
 */
export function freeGroupName({ idsByName }: GroupDirectory, sent: string, own: UserGroup | null): string {
  const name = groupNameOf(sent);
  const other = idsByName.get(nameKey(name));
  if (other !== undefined && other !== own?.id) throw failure('userGroupNameTaken', { reason: name });
  return name;
}

/**
 * A group that is not a system group, deactivated or not. The members of system groups follow from roles and
 * cannot be changed.
 *
 * @throws ApplicationError `invalidUserGroup`, `insufficientPermission` for a system group
 */
export function changeableGroup({ groups }: GroupDirectory, groupId: number): UserGroup {
  const group = groups.get(groupId);
  if (group === undefined) throw failure('invalidUserGroup');
  if (group.isSystem) throw failure('insufficientPermission');
  return group;
}
