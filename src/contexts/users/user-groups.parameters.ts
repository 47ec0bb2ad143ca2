import { z } from 'zod';
import type { UserGroupPermissions } from '../../events/user-groups.js';
import {
  groupSettingSchema,
  permissionChangeSchema,
  type GroupSetting,
  type PermissionChange,
} from '../../events/values/group-setting.js';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { groupPermissionTable } from '../../access/group-permission-values.js';
import { budgets } from '../../kernel/budgets.js';
import { limits } from '../../events/values/organization-defaults.js';

const ids = z.array(z.number().int()).max(budgets.listOfRequest.max);
/** Without a maximum here: what a group may have decides, with its own refusal. */
const newMembers = z.array(z.number().int());

/** Parameters of GET /user_groups. */
export class GetUserGroupsParameters {
  @BooleanParameter({ description: 'Whether to include deactivated groups. Default false.' })
  include_deactivated_groups?: boolean;
}

/** Parameters of POST /user_groups/create. */
export class CreateUserGroupParameters {
  @TextParameter({
    maxLength: limits.groupName,
    example: 'weavers',
    required: true,
    description: 'The name: 1 to 100 characters, different from all other groups.',
  })
  name!: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    example: 'They weave',
    required: true,
    description: 'The description: at most 1024 characters.',
  })
  description!: string;

  @JsonParameter({
    maxItems: budgets.membersOfGroup.max,
    example: [3],
    required: true,
    schema: newMembers,
    description: 'Ids of the members.',
  })
  members!: number[];

  @JsonParameter({
    maxItems: budgets.subgroupsOfGroup.max,
    schema: ids,
    description: 'Ids of the subgroups, whose members belong to this group too.',
  })
  subgroups?: number[];

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_add_members_group?: GroupSetting;

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_join_group?: GroupSetting;

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_leave_group?: GroupSetting;

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_manage_group?: GroupSetting;

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_mention_group?: GroupSetting;

  @JsonParameter({ maxItems: budgets.namedInPermission.max, schema: groupSettingSchema })
  can_remove_members_group?: GroupSetting;
}

const Change = (): PropertyDecorator =>
  JsonParameter({
    maxItems: budgets.namedInPermission.max,
    schema: permissionChangeSchema,
    description: '`{"new": group-setting value, "old": the value that the client believes it has}`.',
  });

/** Parameters of PATCH /user_groups/{group_id}. */
export class UpdateUserGroupParameters {
  @TextParameter({
    maxLength: limits.groupName,
    description: 'The new name: 1 to 100 characters, different from all other groups.',
  })
  name?: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The new description: at most 1024 characters.',
  })
  description?: string;

  @BooleanParameter({ description: '`false` makes a deactivated group active again.' })
  deactivated?: boolean;

  @Change()
  can_add_members_group?: PermissionChange;

  @Change()
  can_join_group?: PermissionChange;

  @Change()
  can_leave_group?: PermissionChange;

  @Change()
  can_manage_group?: PermissionChange;

  @Change()
  can_mention_group?: PermissionChange;

  @Change()
  can_remove_members_group?: PermissionChange;
}

const permissionNames = Object.keys(groupPermissionTable) as readonly (keyof UserGroupPermissions)[];

/** The permissions that were sent, by name. */
export function permissionsIn<Value>(parameters: {
  readonly [Name in keyof UserGroupPermissions]?: Value | undefined;
}): Partial<Record<keyof UserGroupPermissions, Value>> {
  const sent: Partial<Record<keyof UserGroupPermissions, Value>> = {};
  for (const name of permissionNames) {
    const value = parameters[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

/** Parameters of POST /user_groups/{group_id}/members. */
export class ChangeGroupMembersParameters {
  @JsonParameter({
    maxItems: budgets.membersOfGroup.max,
    schema: newMembers,
    description: 'Ids of the members to add.',
  })
  add?: number[];

  @JsonParameter({ schema: ids, description: 'Ids of the members to remove.' })
  delete?: number[];

  @JsonParameter({
    maxItems: budgets.subgroupsOfGroup.max,
    schema: ids,
    description: 'Ids of the subgroups to add.',
  })
  add_subgroups?: number[];

  @JsonParameter({ schema: ids, description: 'Ids of the subgroups to remove.' })
  delete_subgroups?: number[];
}

/** Parameters of POST /user_groups/{group_id}/subgroups. */
export class ChangeSubgroupsParameters {
  @JsonParameter({
    maxItems: budgets.subgroupsOfGroup.max,
    schema: ids,
    description: 'Ids of the subgroups to add.',
  })
  add?: number[];

  @JsonParameter({ schema: ids, description: 'Ids of the subgroups to remove.' })
  delete?: number[];
}

/** Parameters of GET /user_groups/{group_id}/subgroups. */
export class GetSubgroupsParameters {
  @BooleanParameter({
    description: 'Only direct subgroups, without the subgroups of subgroups. Default false.',
  })
  direct_subgroup_only?: boolean;
}

/** Parameters of GET /user_groups/{group_id}/members and of one of them. */
export class GroupMembersParameters {
  @BooleanParameter({ description: 'Only direct members, without the members of subgroups. Default false.' })
  direct_member_only?: boolean;
}
