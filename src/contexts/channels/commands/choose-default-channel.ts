import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Actors } from '../actors.js';
import { ChannelStreams } from '../channel-streams.js';
import { decideDefaultChannel } from '../channel-update.js';

/** Says whether new people are subscribed to a channel (facts, section 5, POST and DELETE default_streams). */
export class ChooseDefaultChannel extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
    readonly isDefault: boolean,
  ) {
    super();
  }
}

@CommandHandler(ChooseDefaultChannel)
export class ChooseDefaultChannelHandler implements ICommandHandler<ChooseDefaultChannel> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
  ) {}

  async execute({ caller, channelId, isDefault }: ChooseDefaultChannel): Promise<void> {
    const acting = this.actors.acting(caller);
    await this.streams.inDirectory(this.actors.metadata(caller, acting), (directory) =>
      decideDefaultChannel(directory, { channelId, isDefault }, acting),
    );
  }
}
