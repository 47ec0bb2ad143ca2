import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import { Parameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { ChangeGroupMembers } from './commands/change-group-members.js';
import { CreateUserGroup } from './commands/create-user-group.js';
import {
  ChangeGroupMembersParameters,
  CreateUserGroupParameters,
  GetUserGroupsParameters,
  GroupMembersParameters,
  sentPermissions,
} from './dto/user-group.parameters.js';
import { GetGroupMembers } from './queries/get-group-members.js';
import { GetGroupMembership } from './queries/get-group-membership.js';
import { GetUserGroups } from './queries/get-user-groups.js';

/** User groups: who may do what is said in terms of them. */
@ApiTags('user groups')
@Controller('user_groups')
export class UserGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the user groups. */
  @Get()
  async list(
    @Parameters(GetUserGroupsParameters) parameters: GetUserGroupsParameters,
  ): Promise<SuccessFields> {
    const query = new GetUserGroups(parameters.include_deactivated_groups ?? false);
    return { user_groups: await this.queries.execute(query) };
  }

  /** Creates a user group. */
  @Post('create')
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateUserGroupParameters) parameters: CreateUserGroupParameters,
  ): Promise<SuccessFields> {
    const { name, description, members: memberIds, subgroups: subgroupIds = [] } = parameters;
    const permissions = sentPermissions(parameters);
    const group = { name, description, memberIds, subgroupIds, permissions };
    return { group_id: await this.commands.execute(new CreateUserGroup(caller, group)) };
  }

  /** Adds people to a user group and removes others. */
  @Post(':group_id/members')
  async changeMembers(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(ChangeGroupMembersParameters) { add = [], delete: remove = [] }: ChangeGroupMembersParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeGroupMembers(caller, { groupId, add, remove }));
  }

  /** Lists who is in a user group. */
  @Get(':group_id/members')
  async members(
    @PathIdentifier('group_id') groupId: number,
    @Parameters(GroupMembersParameters) parameters: GroupMembersParameters,
  ): Promise<SuccessFields> {
    const query = new GetGroupMembers(groupId, parameters.direct_member_only ?? false);
    return { members: await this.queries.execute(query) };
  }

  /** Tells whether a person is in a user group. */
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
