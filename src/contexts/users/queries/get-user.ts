import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { KnownPeople } from '../known-people.js';
import { userObject, type UserFormat } from '../views/user-object.js';
import type { UserObject } from '../users.replies.js';

/** Looks up a person or a bot, the server's own included. */
export class GetUser extends Query<UserObject> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    /** An id or an e-mail address. */
    readonly whom: number | string,
    readonly format: UserFormat,
  ) {
    super();
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly people: KnownPeople,
  ) {}

  /** @throws ApplicationError `noSuchUser`, also for whom the caller may not know */
  async execute({ caller, whom, format }: GetUser): Promise<UserObject> {
    const moment = this.decisions.moment();
    const { directory } = moment;
    const viewer = this.decisions.actor(caller).user;
    const user =
      typeof whom === 'number' ? directory.user(whom) : this.emails.findFor(viewer, directory, whom);
    const knows = await this.people.to(viewer, moment);
    if (user === null || !knows(user)) throw failure('noSuchUser');
    return userObject(user, { ...format, directory, viewer });
  }
}
