import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { EventOf } from '../../../kernel/event.js';
import { Actors } from '../actors.js';
import type { ChannelDirectory } from '../channel-directory.js';
import { ChannelStreams } from '../channel-streams.js';
import { administeredChannel } from '../channel-update.js';
import type { ChannelArchived } from '../../../events/channels.js';

/** Archives a channel: it can still be read, but nothing can be sent to it (facts, section 5, DELETE streams/{id}). */
export class ArchiveChannel extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `invalidChannel`, `channelNotAdministered` */
export function decideArchiving(
  directory: ChannelDirectory,
  channelId: number,
  acting: Actor,
): readonly EventOf<typeof ChannelArchived>[] {
  const { isArchived } = administeredChannel(directory, channelId, acting);
  return isArchived ? [] : [{ type: 'ChannelArchived', data: { channelId } }];
}

@CommandHandler(ArchiveChannel)
export class ArchiveChannelHandler implements ICommandHandler<ArchiveChannel> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
  ) {}

  async execute({ caller, channelId }: ArchiveChannel): Promise<void> {
    const acting = this.actors.acting(caller);
    await this.streams.inDirectory(this.actors.metadata(caller, acting), (directory) =>
      decideArchiving(directory, channelId, acting),
    );
  }
}
