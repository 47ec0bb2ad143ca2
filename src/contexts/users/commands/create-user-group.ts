import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isKnownSetting } from '../../../access/membership.js';
import { mayCreateGroups } from '../../../access/people-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedGroups } from '../group-directory.js';
import type { UserGroupEvent, UserGroupPermissions } from '../../../events/user-groups.js';
import { freeGroupName, type GroupDirectory } from '../group-directory.js';
import { groupDescriptionOf } from '../group-name.js';
import { newGroupPermissions } from '../group-permissions.js';

/** Creates a user group (facts, section 5). Answers its id. */
export class CreateUserGroup extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly group: NewUserGroup,
  ) {
    super();
  }
}

/** What a new group is made of, as it was sent. */
export interface NewUserGroup {
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly permissions: Partial<UserGroupPermissions>;
}

/**
 * @throws ApplicationError `insufficientPermission`, `tooManyUserGroups`, `noSuchUser`, `invalidUserGroup`, or those of {@link freeGroupName},
 * {@link groupDescriptionOf} and of a permission's value
 */
export function decideCreateUserGroup(
  state: GroupDirectory,
  group: NewUserGroup,
  { user: actor, moment }: Actor,
): readonly UserGroupEvent[] {
  if (!mayCreateGroups(moment, actor)) throw failure('insufficientPermission');
  if (state.groups.size >= budgets.userGroups.max) throw failure('tooManyUserGroups');
  const name = freeGroupName(state, group.name, null);
  const memberIds = [...new Set(group.memberIds)];
  const subgroupIds = [...new Set(group.subgroupIds)];
  if (!isKnownSetting(moment, { direct_members: memberIds, direct_subgroups: [] }))
    throw failure('noSuchUser');
  if (!isKnownSetting(moment, { direct_members: [], direct_subgroups: subgroupIds }))
    throw failure('invalidUserGroup');
  return [
    {
      type: 'UserGroupCreated',
      data: {
        groupId: idAtRevision(state.nextRevision),
        name,
        description: groupDescriptionOf(group.description),
        isSystem: false,
        memberIds,
        subgroupIds,
        permissions: newGroupPermissions(moment, actor.id, group.permissions),
      },
    },
  ];
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
