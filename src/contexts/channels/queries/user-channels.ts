import type { Actor } from '../../../access/actor.js';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Actors } from '../actors.js';
import { isSubscribed } from '../../../access/records/subscription.js';

/** Ids of the channels that a person is subscribed to (GET users/{user_id}/channels). */
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
  constructor(private readonly actors: Actors) {}

  /** @throws ApplicationError `noSuchUser` */
  execute({ caller, userId }: GetUserChannels): Promise<readonly number[]> {
    const acting = this.actors.acting(caller);
    const { directory } = acting.moment;
    if (directory.user(userId) === null) throw failure('noSuchUser');
    const ids = [...directory.subscriptionsOfUser(userId)]
      .filter((subscription) => isSubscribed(subscription) && isShown(subscription.channelId, acting))
      .map(({ channelId }) => channelId);
    return Promise.resolve(ids.sort((a, b) => a - b));
  }
}

/** Who may know of a channel may know who is subscribed to it. */
function isShown(channelId: number, { moment, user: caller }: Actor): boolean {
  const channel = moment.directory.channel(channelId);
  return channel !== null && !channel.isArchived && hasMetadataAccess(moment, caller, channel);
}
