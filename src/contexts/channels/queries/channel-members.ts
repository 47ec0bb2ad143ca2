import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { knownChannel } from './channel.js';

/**
 * Ids of the active accounts that are subscribed to a channel, in rising order (`GET
 * /streams/{stream_id}/members`).
 */
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
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidChannel` */
  execute({ caller, channelId }: GetChannelMembers): Promise<readonly number[]> {
    const actor = this.decisions.actor(caller);
    const { id } = knownChannel(channelId, actor);
    return Promise.resolve(actor.snapshot.directory.subscriberIds(id));
  }
}
