import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedGroups } from '../user-groups.state.js';
import {
  type NewUserGroup,
  decideCreateUserGroup,
  type UserGroupChanges,
  decideUpdateUserGroup,
} from '../user-groups.decide.js';
import { type MemberChanges, decideChangeGroupMembers } from '../group-members.decide.js';

/** Creates a user group (`POST /user_groups/create`). Returns its id. */
export class CreateUserGroup extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly group: NewUserGroup,
  ) {
    super();
  }
}

@CommandHandler(CreateUserGroup)
export class CreateUserGroupHandler implements ICommandHandler<CreateUserGroup> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, group }: CreateUserGroup): Promise<number> {
    const {
      events: [created],
    } = await this.decisions.decide(caller, foldedGroups, (state, actor) =>
      decideCreateUserGroup(state, group, actor),
    );
    if (created === undefined) throw new Error('A creation always appends');
    return created.data.groupId;
  }
}

/**
 * Adds people and groups to a user group and removes others (`POST /user_groups/{group_id}/members`,
 * `/subgroups`).
 */
export class ChangeGroupMembers extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: MemberChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeGroupMembers)
export class ChangeGroupMembersHandler implements ICommandHandler<ChangeGroupMembers> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, changes }: ChangeGroupMembers): Promise<void> {
    await this.decisions.decide(caller, foldedGroups, (state, actor) =>
      decideChangeGroupMembers(state, changes, actor),
    );
  }
}

/**
 * Changes a user group: its name, its permissions, whether it is active (`PATCH /user_groups/{group_id}`).
 */
export class UpdateUserGroup extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: UserGroupChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateUserGroup)
export class UpdateUserGroupHandler implements ICommandHandler<UpdateUserGroup> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, changes }: UpdateUserGroup): Promise<void> {
    await this.decisions.decide(caller, foldedGroups, (state, actor) =>
      decideUpdateUserGroup(state, changes, actor),
    );
  }
}
