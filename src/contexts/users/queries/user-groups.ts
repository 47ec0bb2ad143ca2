import { groupObject } from '../users.view.js';
import type { IQueryHandler } from '@nestjs/cqrs';
import { directMembersOf, groupsWithin, includes, membersOf } from '../../../access/membership.js';
import { isGuest } from '../../../access/records/roles.js';
import type { UserGroup } from '../../../access/records/user-group.js';
import type { GroupSetting } from '../../../events/values/group-setting.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import type { GroupObject } from '../users.replies.js';

/** Lists the user groups, system groups included (`GET /user_groups`). */
export class GetUserGroups extends Query<readonly GroupObject[]> {
  constructor(
    readonly caller: Caller,
    readonly includeDeactivated: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetUserGroups)
export class GetUserGroupsHandler implements IQueryHandler<GetUserGroups> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `guestsNotAllowed`: guests see groups in what `POST /register` returns */
  async execute({ caller, includeDeactivated }: GetUserGroups): Promise<readonly GroupObject[]> {
    const { user, snapshot } = this.decisions.actor(caller);
    if (isGuest(user)) throw failure('guestsNotAllowed');
    return [...snapshot.directory.groups()]
      .filter((group) => includeDeactivated || !group.isDeactivated)
      .sort((a, b) => a.id - b.id)
      .map((group) => groupObject(snapshot, group));
  }
}

/**
 * The content of a group as a setting. A deactivated group counts as empty in permissions, but clients can still look
 * into it.
 */
function contentOf({ id, isDeactivated, memberIds, subgroupIds }: UserGroup): GroupSetting {
  return isDeactivated ? { direct_members: [...memberIds], direct_subgroups: [...subgroupIds] } : id;
}

/**
 * Lists the members of a user group, with those of its subgroups unless only direct members are requested.
 */
export class GetGroupMembers extends Query<readonly number[]> {
  constructor(
    readonly groupId: number,
    readonly directOnly: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetGroupMembers)
export class GetGroupMembersHandler implements IQueryHandler<GetGroupMembers> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidUserGroup` */
  execute({ groupId, directOnly }: GetGroupMembers): Promise<readonly number[]> {
    const snapshot = this.decisions.snapshot();
    const group = snapshot.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    return Promise.resolve(
      directOnly ? directMembersOf(snapshot, group) : membersOf(snapshot, contentOf(group)),
    );
  }
}

/** Whether a person is a member of a user group. */
export class GetGroupMembership extends Query<boolean> {
  constructor(
    readonly groupId: number,
    readonly userId: number,
    readonly directOnly: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetGroupMembership)
export class GetGroupMembershipHandler implements IQueryHandler<GetGroupMembership> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidUserGroup`, `noSuchUser` */
  execute({ groupId, userId, directOnly }: GetGroupMembership): Promise<boolean> {
    const snapshot = this.decisions.snapshot();
    const group = snapshot.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    const user = snapshot.directory.user(userId);
    if (user === null) throw failure('noSuchUser');
    return Promise.resolve(
      directOnly
        ? directMembersOf(snapshot, group).includes(userId)
        : includes(snapshot, contentOf(group), user),
    );
  }
}

/** Lists the subgroups of a user group, with theirs unless only direct ones are requested. */
export class GetSubgroups extends Query<readonly number[]> {
  constructor(
    readonly groupId: number,
    readonly directOnly: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetSubgroups)
export class GetSubgroupsHandler implements IQueryHandler<GetSubgroups> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidUserGroup` */
  execute({ groupId, directOnly }: GetSubgroups): Promise<readonly number[]> {
    const snapshot = this.decisions.snapshot();
    const group = snapshot.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    const within = directOnly
      ? group.subgroupIds
      : [...groupsWithin(snapshot, contentOf(group))].map(({ id }) => id).filter((id) => id !== groupId);
    return Promise.resolve([...within].sort((a, b) => a - b));
  }
}
