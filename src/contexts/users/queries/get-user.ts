import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { EmailLookup } from '../email-lookup.js';
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
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
  ) {}

  /** @throws ApplicationError `noSuchUser` */
  execute({ caller, whom, format }: GetUser): Promise<UserObject> {
    const { directory } = this.accounts.moment();
    const viewer = this.accounts.actor(caller);
    const user =
      typeof whom === 'number' ? directory.user(whom) : this.emails.findFor(viewer, directory, whom);
    if (user === null) throw failure('noSuchUser');
    return Promise.resolve(userObject(user, { ...format, directory, viewer }));
  }
}
