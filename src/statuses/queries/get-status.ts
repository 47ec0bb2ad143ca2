import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../../users/accounts.js';
import { statusObject, type StatusObject } from '../status-object.js';

/** Reads what a person says of what they are about. */
export class GetStatus extends Query<StatusObject> {
  constructor(readonly userId: number) {
    super();
  }
}

@QueryHandler(GetStatus)
export class GetStatusHandler implements IQueryHandler<GetStatus> {
  constructor(private readonly accounts: Accounts) {}

  /** @throws ApplicationError `noSuchUser` */
  execute({ userId }: GetStatus): Promise<StatusObject> {
    const { directory } = this.accounts.moment();
    if (directory.user(userId) === null) throw failure('noSuchUser');
    return Promise.resolve(statusObject(directory, userId));
  }
}
