import { directMembersOf } from '../../../access/membership.js';
import type { Moment } from '../../../access/moment.js';
import { shownPermissions } from '../../../access/shown-permission.js';
import { toSeconds } from '../../../kernel/clock.js';
import type { UserGroupPermissions } from '../../../events/user-groups.js';
import type { UserGroup } from '../../../access/records/user-group.js';

/** A user group as the API gives it (facts, section 2 of the events; example GET /user_groups). */
export interface GroupObject extends UserGroupPermissions {
  readonly id: number;
  readonly name: string;
  /** Both null for system groups. */
  readonly creator_id: number | null;
  readonly date_created: number | null;
  readonly description: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
}

/** A user group in the words of the API. */
export function groupObject(moment: Moment, group: UserGroup): GroupObject {
  return {
    id: group.id,
    name: group.name,
    creator_id: group.isSystem ? null : group.creatorId,
    date_created: group.isSystem ? null : toSeconds(group.createdAt),
    description: group.description,
    members: directMembersOf(moment, group),
    direct_subgroup_ids: group.subgroupIds,
    is_system_group: group.isSystem,
    ...shownPermissions(moment.directory, group.permissions),
    deactivated: group.isDeactivated,
  };
}
