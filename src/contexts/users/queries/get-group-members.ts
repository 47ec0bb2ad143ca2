import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { directMembersOf, membersOf } from '../../../access/membership.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';

/** Lists who is in a user group, those of its subgroups included unless only its own are asked for. */
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
    const moment = this.decisions.moment();
    const group = moment.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    return Promise.resolve(directOnly ? directMembersOf(moment, group) : membersOf(moment, groupId));
  }
}
