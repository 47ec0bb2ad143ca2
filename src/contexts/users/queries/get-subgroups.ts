import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { groupsWithin } from '../../../access/membership.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';

/** Lists the groups that are part of a user group, those within them included unless only its own are asked for. */
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
    const moment = this.decisions.moment();
    const group = moment.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    const within = directOnly
      ? group.subgroupIds
      : [...groupsWithin(moment, groupId)].map(({ id }) => id).filter((id) => id !== groupId);
    return Promise.resolve([...within].sort((a, b) => a - b));
  }
}
