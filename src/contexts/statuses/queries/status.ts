import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { KnownPeople } from '../../../access/known-people.js';
import { statusObject } from '../../users/client-events/person-status.js';
import type { StatusObject } from '../statuses.replies.js';

/** Reads a person's status. */
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
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  /**
   * @throws ApplicationError `noSuchUser`, also for others that are bots, deactivated or unknown to the
   * caller
   */
  async execute({ caller, userId }: GetStatus): Promise<StatusObject> {
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    if (userId !== caller.userId) {
      const user = directory.user(userId);
      const knows = await this.people.predicateFor(this.decisions.actor(caller).user, snapshot);
      if (user?.isActive !== true || user.bot !== null || !knows(user)) throw failure('noSuchUser');
    }
    return statusObject(directory, userId);
  }
}
