import { channelPermissionTable } from '../../../access/channel-permission-values.js';
import { groupPermissionTable } from '../../../access/group-permission-values.js';
import { systemGroups } from '../../../events/values/organization-defaults.js';
import type { GroupRule } from '../../../events/values/group-rule.js';
import { organizationPermissionTable } from '../../../events/values/organization-permissions.js';

/**
 * The groups that each permission may be given to, as clients get them
 * (`server_supported_permission_settings`).
 */
export const supportedPermissions = {
  realm: configurations(organizationPermissionTable, null),
  stream: configurations(channelPermissionTable, 'channel_creator'),
  group: configurations(groupPermissionTable, 'group_creator'),
};

function configurations(
  table: Readonly<Record<string, GroupRule>>,
  creator: string | null,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, rule]) => [name, configuration(rule, { name, creator })]),
  );
}

function configuration(
  { initial, allowsEveryone, allowsNobody, onlySystemGroups }: GroupRule,
  { name, creator }: { readonly name: string; readonly creator: string | null },
): object {
  return {
    require_system_group: onlySystemGroups !== null,
    allow_internet_group: false,
    allow_nobody_group: allowsNobody,
    allow_everyone_group: allowsEveryone,
    default_group_name: initial === 'creator' ? creator : groupName(initial),
    default_for_system_groups: creator === 'group_creator' ? 'role:nobody' : null,
    id_field_name: `${name}_id`,
    allowed_system_groups: (onlySystemGroups ?? []).map(groupName),
  };
}

function groupName(groupId: number): string | null {
  return systemGroups.find(({ id }) => id === groupId)?.name ?? null;
}
