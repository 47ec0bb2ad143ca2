import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Actors } from '../actors.js';
import type { ChannelChanges } from '../channel-changes.js';
import { ChannelStreams } from '../channel-streams.js';
import { decideChannelUpdate } from '../channel-update.js';
import { ChannelStatistics } from '../statistics.js';

/** Changes what is set for a channel (facts, section 5, PATCH streams/{id}). */
export class UpdateChannel extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
    readonly changes: ChannelChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateChannel)
export class UpdateChannelHandler implements ICommandHandler<UpdateChannel> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
    private readonly statistics: ChannelStatistics,
  ) {}

  async execute({ caller, channelId, changes }: UpdateChannel): Promise<void> {
    const acting = this.actors.acting(caller);
    const hasOnlyEmptyTopic =
      changes.topicsPolicy === 'empty_topic_only' && (await this.statistics.hasOnlyEmptyTopic(channelId));
    await this.streams.inDirectory(this.actors.metadata(caller, acting), (directory) =>
      decideChannelUpdate(directory, { channelId, changes }, { ...acting, hasOnlyEmptyTopic }),
    );
  }
}
