import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { directMembersOf, includes } from '../../../access/membership.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';

/** Asks whether a person is in a user group. */
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
    const moment = this.decisions.moment();
    const group = moment.directory.group(groupId);
    if (group === null) throw failure('invalidUserGroup');
    const user = moment.directory.user(userId);
    if (user === null) throw failure('noSuchUser');
    return Promise.resolve(
      directOnly ? directMembersOf(moment, group).includes(userId) : includes(moment, groupId, user),
    );
  }
}
