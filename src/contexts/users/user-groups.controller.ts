import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import type { GroupSetting, PermissionChange } from '../../events/values/group-setting.js';
import { Readers } from '../../reader-threads/readers.js';
import { ChangeGroupMembers, CreateUserGroup, UpdateUserGroup } from './commands/user-groups.js';
import {
  ChangeGroupMembersParameters,
  ChangeSubgroupsParameters,
  CreateUserGroupParameters,
  GetSubgroupsParameters,
  GetUserGroupsParameters,
  GroupMembersParameters,
  permissionsIn,
  UpdateUserGroupParameters,
} from './user-groups.parameters.js';
import { GetGroupMembers, GetGroupMembership, GetSubgroups, GetUserGroups } from './queries/user-groups.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import {
  createdGroupReply,
  groupMembersReply,
  groupsReply,
  membershipReply,
  subgroupsReply,
} from './users.replies.js';

/** User groups, in terms of which permissions are given. */
@ApiTags('user groups')
@Controller('user_groups')
export class UserGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly readers: Readers,
  ) {}

  /** Lists the user groups. */
  @Reply(groupsReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Parameters(GetUserGroupsParameters) parameters: GetUserGroupsParameters,
  ): Promise<Answer> {
    return this.readers.answer(new GetUserGroups(caller, parameters.include_deactivated_groups ?? false));
  }

  /** Creates a user group. */
  @Reply(createdGroupReply)
  @Post('create')
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateUserGroupParameters) parameters: CreateUserGroupParameters,
  ): Promise<SuccessFields> {
    const { name, description, members: memberIds, subgroups: subgroupIds = [] } = parameters;
    const permissions = permissionsIn<GroupSetting>(parameters);
    const group = { name, description, memberIds, subgroupIds, permissions };
    return { group_id: await this.commands.execute(new CreateUserGroup(caller, group)) };
  }

  /** Changes a user group: its name, its permissions, whether it is active. */
  @Reply()
  @Patch(':group_id')
  async update(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(UpdateUserGroupParameters) parameters: UpdateUserGroupParameters,
  ): Promise<void> {
    const { name, description, deactivated: isDeactivated } = parameters;
    const permissions = permissionsIn<PermissionChange>(parameters);
    const changes = { groupId, name, description, isDeactivated, permissions };
    await this.commands.execute(new UpdateUserGroup(caller, changes));
  }

  /** Deactivates a user group that nothing uses. */
  @Reply()
  @Post(':group_id/deactivate')
  async deactivate(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
  ): Promise<void> {
    const changes = { groupId, isDeactivated: true, permissions: {} };
    await this.commands.execute(new UpdateUserGroup(caller, changes));
  }

  /** Adds people and groups to a user group and removes others. */
  @Reply()
  @Post(':group_id/members')
  async changeMembers(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(ChangeGroupMembersParameters) parameters: ChangeGroupMembersParameters,
  ): Promise<void> {
    const { add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] } = parameters;
    const subgroups = { addSubgroups: add_subgroups, removeSubgroups: delete_subgroups };
    await this.commands.execute(new ChangeGroupMembers(caller, { groupId, add, remove, ...subgroups }));
  }

  /** Adds subgroups to a user group and removes others. */
  @Reply()
  @Post(':group_id/subgroups')
  async changeSubgroups(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(ChangeSubgroupsParameters) parameters: ChangeSubgroupsParameters,
  ): Promise<void> {
    const { add: addSubgroups = [], delete: removeSubgroups = [] } = parameters;
    const changes = { groupId, add: [], remove: [], addSubgroups, removeSubgroups };
    await this.commands.execute(new ChangeGroupMembers(caller, changes));
  }

  /** Lists the subgroups of a user group. */
  @Reply(subgroupsReply)
  @Get(':group_id/subgroups')
  async subgroups(
    @PathIdentifier('group_id') groupId: number,
    @Parameters(GetSubgroupsParameters) parameters: GetSubgroupsParameters,
  ): Promise<SuccessFields> {
    const query = new GetSubgroups(groupId, parameters.direct_subgroup_only ?? false);
    return { subgroups: await this.queries.execute(query) };
  }

  /** Lists the members of a user group. */
  @Reply(groupMembersReply)
  @Get(':group_id/members')
  async members(
    @PathIdentifier('group_id') groupId: number,
    @Parameters(GroupMembersParameters) parameters: GroupMembersParameters,
  ): Promise<SuccessFields> {
    const query = new GetGroupMembers(groupId, parameters.direct_member_only ?? false);
    return { members: await this.queries.execute(query) };
  }

  /** Returns whether a person is in a user group. */
  @Reply(membershipReply)
  @Get(':group_id/members/:user_id')
  async membership(
    @PathIdentifier('group_id') groupId: number,
    @PathIdentifier('user_id') userId: number,
    @Parameters(GroupMembersParameters) parameters: GroupMembersParameters,
  ): Promise<SuccessFields> {
    const query = new GetGroupMembership(groupId, userId, parameters.direct_member_only ?? false);
    return { is_user_group_member: await this.queries.execute(query) };
  }
}
