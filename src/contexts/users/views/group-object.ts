import { directMembersOf } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { shownPermissions } from '../../../access/shown-permission.js';
import { toSeconds } from '../../../kernel/clock.js';
import type { UserGroup } from '../../../access/records/user-group.js';
import type { GroupObject } from '../users.replies.js';

/** Formats a user group for the API. */
export function groupObject(snapshot: Snapshot, group: UserGroup): GroupObject {
  return {
    id: group.id,
    name: group.name,
    creator_id: group.isSystem ? null : group.creatorId,
    date_created: group.isSystem ? null : toSeconds(group.createdAt),
    description: group.description,
    members: directMembersOf(snapshot, group),
    direct_subgroup_ids: group.subgroupIds,
    is_system_group: group.isSystem,
    ...shownPermissions(snapshot.directory, group.permissions),
    deactivated: group.isDeactivated,
  };
}
