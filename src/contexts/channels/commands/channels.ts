import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { Decisions } from '../../../http/decisions.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { Principals } from '../principals.js';
import { foldedChannels } from '../channels.state.js';
import { type CreateChannelRequest, decideCreatingChannel } from '../new-channels.decide.js';
import type { ChannelChanges } from '../channel-changes.decide.js';
import { decideChannelUpdate, decideArchiving, decideDefaultChannel } from '../channel-update.decide.js';
import { ChannelStatistics } from '../statistics.js';

/** Creates a channel that must not exist yet (`POST /channels/create`). Returns its id. */
export class CreateChannel extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: CreateChannelRequest,
  ) {
    super();
  }
}

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly decisions: Decisions,
    private readonly principals: Principals,
  ) {}

  async execute({ caller, request }: CreateChannel): Promise<number> {
    const actor = this.decisions.actor(caller);
    const subscriberIds = await this.principals.userIds(request.subscriberIds, actor);
    const { events } = await this.decisions.decideAs(
      requestMetadata(caller, actor.snapshot.now),
      foldedChannels,
      (directory) => decideCreatingChannel(directory, { ...request, subscriberIds }, actor),
    );
    const created = events.at(-1);
    if (created === undefined) throw new Error('A creation always appends');
    return idAtRevision(created.revision);
  }
}

/** Changes the settings of a channel (`PATCH /streams/{stream_id}`). */
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
    private readonly decisions: Decisions,
    private readonly statistics: ChannelStatistics,
  ) {}

  async execute({ caller, channelId, changes }: UpdateChannel): Promise<void> {
    const hasOnlyEmptyTopic =
      changes.topicsPolicy === 'empty_topic_only' && (await this.statistics.hasOnlyEmptyTopic(channelId));
    await this.decisions.decide(caller, foldedChannels, (directory, actor) =>
      decideChannelUpdate(directory, { channelId, changes }, { ...actor, hasOnlyEmptyTopic }),
    );
  }
}

/**
 * Archives a channel: it can still be read, but nothing can be sent to it (`DELETE /streams/{stream_id}`).
 */
export class ArchiveChannel extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

@CommandHandler(ArchiveChannel)
export class ArchiveChannelHandler implements ICommandHandler<ArchiveChannel> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, channelId }: ArchiveChannel): Promise<void> {
    await this.decisions.decide(caller, foldedChannels, (directory, actor) =>
      decideArchiving(directory, channelId, actor),
    );
  }
}

/** Chooses whether new people are subscribed to a channel (`POST` and `DELETE /default_streams`). */
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
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, channelId, isDefault }: ChooseDefaultChannel): Promise<void> {
    await this.decisions.decide(caller, foldedChannels, (directory, actor) =>
      decideDefaultChannel(directory, { channelId, isDefault }, actor),
    );
  }
}
