import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import { knownChannel } from './channel.js';

/** Whether a person is subscribed to a channel (`GET /users/{user_id}/subscriptions/{stream_id}`). */
export class GetSubscriptionStatus extends Query<boolean> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly channelId: number,
  ) {
    super();
  }
}

@QueryHandler(GetSubscriptionStatus)
export class GetSubscriptionStatusHandler implements IQueryHandler<GetSubscriptionStatus> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchUser`, `invalidChannel` */
  execute({ caller, userId, channelId }: GetSubscriptionStatus): Promise<boolean> {
    const actor = this.decisions.actor(caller);
    const { directory } = actor.snapshot;
    if (directory.user(userId) === null) throw failure('noSuchUser');
    const { id } = knownChannel(channelId, actor);
    return Promise.resolve(isSubscribed(directory.subscription(id, userId)));
  }
}
