import type { Actor } from '../../../access/actor.js';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import type { Channel } from '../../../access/records/channel.js';
import { ChannelListing } from '../channel-listing.js';

/** One channel (`GET /streams/{stream_id}`). */
export class GetChannel extends Query<Record<string, unknown>> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

/**
 * @throws ApplicationError `invalidChannel`, the same for a channel that does not exist and one that the
 * caller may not know of
 */
export function knownChannel(channelId: number, { snapshot, user: caller }: Actor): Channel {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || !hasMetadataAccess(snapshot, caller, channel)) throw failure('invalidChannel');
  return channel;
}

@QueryHandler(GetChannel)
export class GetChannelHandler implements IQueryHandler<GetChannel> {
  constructor(
    private readonly decisions: Decisions,
    private readonly listing: ChannelListing,
  ) {}

  async execute({ caller, channelId }: GetChannel): Promise<Record<string, unknown>> {
    const actor = this.decisions.actor(caller);
    const channel = knownChannel(channelId, actor);
    const [fields] = await this.listing.fieldsOf(actor.snapshot.directory, [channel]);
    return fields ?? {};
  }
}
