import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { EmailLookup } from '../email-lookup.js';
import { userObject, type UserFormat, type UserObject } from '../views/user-object.js';

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
  ) {}

  /** @throws ApplicationError `noSuchUser` */
  execute({ caller, whom, format }: GetUser): Promise<UserObject> {
    const { directory } = this.decisions.moment();
    const viewer = this.decisions.actor(caller).user;
    const user =
      typeof whom === 'number' ? directory.user(whom) : this.emails.findFor(viewer, directory, whom);
    if (user === null) throw failure('noSuchUser');
    return Promise.resolve(userObject(user, { ...format, directory, viewer }));
  }
}
