import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Actors } from '../actors.js';
import { knownChannel } from './channel.js';

/** Ids of the active accounts that are subscribed to a channel, rising (facts, section 5, GET streams/{id}/members). */
export class GetChannelMembers extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

@QueryHandler(GetChannelMembers)
export class GetChannelMembersHandler implements IQueryHandler<GetChannelMembers> {
  constructor(private readonly actors: Actors) {}

  /** @throws ApplicationError `invalidChannel` */
  execute({ caller, channelId }: GetChannelMembers): Promise<readonly number[]> {
    const acting = this.actors.acting(caller);
    const { id } = knownChannel(channelId, acting);
    return Promise.resolve(acting.moment.directory.subscriberIds(id));
  }
}
