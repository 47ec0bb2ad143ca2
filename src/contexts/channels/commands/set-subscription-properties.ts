import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Actors } from '../actors.js';
import { ChannelStreams } from '../channel-streams.js';
import { CompleteSubscriptions } from '../reactors/complete-subscriptions.js';
import { decideSetting, type PropertyRequest } from '../subscription-properties.js';

/** Sets how channels look or notify for the caller (specification, "Update a subscription setting" and its bulk form). */
export class SetSubscriptionProperties extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly requests: readonly PropertyRequest[],
  ) {
    super();
  }
}

@CommandHandler(SetSubscriptionProperties)
export class SetSubscriptionPropertiesHandler implements ICommandHandler<SetSubscriptionProperties> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, requests }: SetSubscriptionProperties): Promise<void> {
    const acting = this.actors.acting(caller);
    const { event } = await this.streams.across(this.actors.metadata(caller, acting), {
      channelIds: () => requests.map(({ channelId }) => channelId),
      decide: (state) => ({ events: decideSetting(requests, { ...state, userId: caller.userId }) }),
    });
    if (event !== null) await this.completion.complete(event);
  }
}
