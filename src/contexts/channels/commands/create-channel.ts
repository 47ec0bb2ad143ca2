import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { Actors } from '../actors.js';
import { channelNamed, type ChannelDirectory } from '../channel-directory.js';
import { ChannelStreams } from '../channel-streams.js';
import type { ChannelSettings } from '../channel-settings.js';
import type { ChannelCreated } from '../../../events/channels.js';
import { createChannels } from '../new-channels.js';

/** What the request says of the channel. */
export interface CreateChannelRequest {
  readonly name: string;
  readonly description: string;
  readonly subscriberIds: readonly number[];
  readonly settings: ChannelSettings;
  readonly announce: boolean;
}

/** Creates a channel that must not exist yet (facts, section 1, CHANNEL_ALREADY_EXISTS). Answers its id. */
export class CreateChannel extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: CreateChannelRequest,
  ) {
    super();
  }
}

/** @throws ApplicationError `channelAlreadyExists`, and those of {@link createChannels} */
export function decideCreatingChannel(
  directory: ChannelDirectory,
  { name, description, ...rest }: CreateChannelRequest,
  { moment, user: caller }: Actor,
): readonly EventOf<typeof ChannelCreated>[] {
  const existing = channelNamed(directory, name);
  if (existing !== null) throw failure('channelAlreadyExists', { channel_name: existing.name });
  const requests = [{ name, description, color: null }];
  return createChannels(
    { moment, creator: caller, directory },
    { ...rest, requests, continuation: [], notify: false },
  );
}

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
  ) {}

  async execute({ caller, request }: CreateChannel): Promise<number> {
    const acting = this.actors.acting(caller);
    const subscriberIds = this.actors.userIds(request.subscriberIds, acting);
    const appended = await this.streams.inDirectory(this.actors.metadata(caller, acting), (directory) =>
      decideCreatingChannel(directory, { ...request, subscriberIds }, acting),
    );
    if (appended === null) throw new Error('A creation always appends');
    return idAtRevision(appended.revision);
  }
}
