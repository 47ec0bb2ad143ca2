import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Accounts } from '../accounts.js';
import { userObject, type UserFormat } from '../views/user-object.js';
import type { UserObject } from '../users.replies.js';

/** Lists people and bots, deactivated ones too (facts, section 5, GET users). */
export class GetUsers extends Query<readonly UserObject[]> {
  constructor(
    readonly caller: Caller,
    /** Null: everyone. */
    readonly userIds: readonly number[] | null,
    readonly format: UserFormat,
  ) {
    super();
  }
}

@QueryHandler(GetUsers)
export class GetUsersHandler implements IQueryHandler<GetUsers> {
  constructor(private readonly accounts: Accounts) {}

  execute({ caller, userIds, format }: GetUsers): Promise<readonly UserObject[]> {
    const { directory } = this.accounts.moment();
    const view = { ...format, directory, viewer: this.accounts.actor(caller) };
    const users = userIds === null ? directory.users() : userIds.flatMap((id) => directory.user(id) ?? []);
    return Promise.resolve(
      [...new Set(users)].filter((user) => user.bot?.isSystem !== true).map((user) => userObject(user, view)),
    );
  }
}
