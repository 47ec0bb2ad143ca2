import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';

/** Finds the id of a channel by its name, ignoring case (`GET /get_stream_id`). */
export class GetChannelId extends Query<number> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetChannelId)
export class GetChannelIdHandler implements IQueryHandler<GetChannelId> {
  constructor(private readonly decisions: Decisions) {}

  /**
   * @throws ApplicationError `invalidChannelName`, the same for a channel that does not exist and one that
   * the caller may not know of
   */
  execute({ caller, name }: GetChannelId): Promise<number> {
    const { snapshot, user } = this.decisions.actor(caller);
    const channel = snapshot.directory.channelByName(name);
    if (channel === null || !hasMetadataAccess(snapshot, user, channel)) throw failure('invalidChannelName');
    return Promise.resolve(channel.id);
  }
}
