import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { KnownPeople } from '../known-people.js';
import { userObject, type UserFormat } from '../views/user-object.js';
import type { UserObject } from '../users.replies.js';

/** Lists people and bots that the caller may know, deactivated ones too (facts, section 5, GET users). */
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
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  async execute({ caller, userIds, format }: GetUsers): Promise<readonly UserObject[]> {
    const moment = this.decisions.moment();
    const { directory } = moment;
    const view = { ...format, directory, viewer: this.decisions.actor(caller).user };
    const knows = await this.people.to(view.viewer, moment);
    const users = userIds === null ? directory.users() : userIds.flatMap((id) => directory.user(id) ?? []);
    return [...new Set(users)]
      .filter((user) => user.bot?.isSystem !== true && knows(user))
      .map((user) => userObject(user, view));
  }
}
