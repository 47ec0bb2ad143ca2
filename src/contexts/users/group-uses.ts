import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import type { GroupSetting } from '../../events/values/group-setting.js';

/** Something that uses a user group, which therefore cannot be deactivated. */
export type GroupUse =
  | { readonly type: 'realm'; readonly settings: readonly string[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] };

/** Active things that use the group: other groups, and permissions. */
function usesOf({ directory }: Snapshot, groupId: number): readonly GroupUse[] {
  const uses: GroupUse[] = [];
  const others = [...directory.groups()].filter(({ id, isDeactivated }) => id !== groupId && !isDeactivated);
  const supergroupIds = others.filter(({ subgroupIds }) => subgroupIds.includes(groupId)).map(({ id }) => id);
  if (supergroupIds.length > 0) uses.push({ type: 'subgroup', supergroup_ids: supergroupIds });
  const inOrganization = settingsNaming(directory.organization?.permissions ?? {}, groupId);
  if (inOrganization.length > 0) uses.push({ type: 'realm', settings: inOrganization });
  for (const { id, isArchived, permissions } of directory.channels()) {
    const settings = isArchived ? [] : settingsNaming(permissions, groupId);
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: id, settings });
  }
  for (const { id, permissions } of others) {
    const settings = settingsNaming(permissions, groupId);
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: id, settings });
  }
  return uses;
}

/** @throws ApplicationError `cannotDeactivateGroupInUse`, with what uses the group */
export function assertNotInUse(snapshot: Snapshot, groupId: number): void {
  const objections = usesOf(snapshot, groupId);
  if (objections.length > 0) throw failure('cannotDeactivateGroupInUse', { objections });
}

function settingsNaming(permissions: Readonly<Record<string, GroupSetting>>, groupId: number): string[] {
  return Object.entries(permissions)
    .filter(([, setting]) =>
      typeof setting === 'number' ? setting === groupId : setting.direct_subgroups.includes(groupId),
    )
    .map(([name]) => name);
}
