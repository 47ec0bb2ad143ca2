import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../../users/accounts.js';
import { statusObject } from '../status-object.js';
import type { StatusObject } from '../client-schemas.js';

/** Reads what a person says of what they are about. */
export class GetStatus extends Query<StatusObject> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetStatus)
export class GetStatusHandler implements IQueryHandler<GetStatus> {
  constructor(private readonly accounts: Accounts) {}

  /** @throws ApplicationError `noSuchUser`, also for others that are bots or deactivated */
  execute({ caller, userId }: GetStatus): Promise<StatusObject> {
    const { directory } = this.accounts.moment();
    const user = directory.user(userId);
    const isShown = userId === caller.userId || (user?.isActive === true && user.bot === null);
    if (!isShown) throw failure('noSuchUser');
    return Promise.resolve(statusObject(directory, userId));
  }
}
