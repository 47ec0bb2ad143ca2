import { z } from 'zod';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { groupSettingSchema, type GroupSetting } from '../../organization/group-setting.js';
import type { UserGroupPermissions } from '../events.js';

const ids = z.array(z.number().int());

/** Parameters of GET /user_groups. */
export class GetUserGroupsParameters {
  @BooleanParameter({ description: 'Default false.' })
  include_deactivated_groups?: boolean;
}

/** Parameters of POST /user_groups/create (facts, section 5). */
export class CreateUserGroupParameters {
  @TextParameter({ required: true, description: '1 to 100 characters, unique.' })
  name!: string;

  @TextParameter({ required: true })
  description!: string;

  @JsonParameter({ required: true, schema: ids, description: 'Ids of people.' })
  members!: number[];

  @JsonParameter({ schema: ids, description: 'Ids of groups whose members belong to this one too.' })
  subgroups?: number[];

  @JsonParameter({ schema: groupSettingSchema })
  can_add_members_group?: GroupSetting;

  @JsonParameter({ schema: groupSettingSchema })
  can_join_group?: GroupSetting;

  @JsonParameter({ schema: groupSettingSchema })
  can_leave_group?: GroupSetting;

  @JsonParameter({ schema: groupSettingSchema })
  can_manage_group?: GroupSetting;

  @JsonParameter({ schema: groupSettingSchema })
  can_mention_group?: GroupSetting;

  @JsonParameter({ schema: groupSettingSchema })
  can_remove_members_group?: GroupSetting;
}

/** The permissions that were sent. */
export function sentPermissions(parameters: CreateUserGroupParameters): Partial<UserGroupPermissions> {
  const {
    name: _name,
    description: _description,
    members: _members,
    subgroups: _subgroups,
    ...permissions
  } = parameters;
  const sent = Object.entries(permissions).filter(([, setting]) => setting !== undefined);
  return Object.fromEntries(sent);
}

/** Parameters of POST /user_groups/{group_id}/members. */
export class ChangeGroupMembersParameters {
  @JsonParameter({ schema: ids, description: 'Ids of people who join.' })
  add?: number[];

  @JsonParameter({ schema: ids, description: 'Ids of people who leave.' })
  delete?: number[];
}

/** Parameters of GET /user_groups/{group_id}/members and of one of them. */
export class GroupMembersParameters {
  @BooleanParameter({ description: 'Leave out the members of subgroups. Default false.' })
  direct_member_only?: boolean;
}
