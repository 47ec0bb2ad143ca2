import type { Actor } from '../../../access/actor.js';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { isSubscribed } from '../../../access/records/subscription.js';

/** Ids of the channels that a person is subscribed to (`GET /users/{user_id}/channels`). */
export class GetUserChannels extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetUserChannels)
export class GetUserChannelsHandler implements IQueryHandler<GetUserChannels> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchUser` */
  execute({ caller, userId }: GetUserChannels): Promise<readonly number[]> {
    const actor = this.decisions.actor(caller);
    const { directory } = actor.snapshot;
    if (directory.user(userId) === null) throw failure('noSuchUser');
    const ids = [...directory.subscriptionsOfUser(userId)]
      .filter((subscription) => isSubscribed(subscription) && isShown(subscription.channelId, actor))
      .map(({ channelId }) => channelId);
    return Promise.resolve(ids.sort((a, b) => a - b));
  }
}

/** People who may know of a channel may know its subscribers. */
function isShown(channelId: number, { snapshot, user: caller }: Actor): boolean {
  const channel = snapshot.directory.channel(channelId);
  return channel !== null && !channel.isArchived && hasMetadataAccess(snapshot, caller, channel);
}
