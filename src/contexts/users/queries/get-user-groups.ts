import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { groupObject } from '../views/group-object.js';
import type { GroupObject } from '../users.replies.js';

/** Lists the user groups, those that follow from roles included (facts, section 5, user_groups). */
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

  execute({ includeDeactivated }: GetUserGroups): Promise<readonly GroupObject[]> {
    const moment = this.decisions.moment();
    return Promise.resolve(
      [...moment.directory.groups()]
        .filter((group) => includeDeactivated || !group.isDeactivated)
        .sort((a, b) => a.id - b.id)
        .map((group) => groupObject(moment, group)),
    );
  }
}
