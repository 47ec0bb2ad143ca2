import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { nameKey } from '../../../kernel/fold-case.js';
import type { Caller } from '../../../http/caller.js';
import { Actors, type Principal } from '../actors.js';
import { ChannelStreams } from '../channel-streams.js';
import { CompleteSubscriptions } from '../reactors/complete-subscriptions.js';
import { assertWithinBudget } from '../subscription-budget.js';
import { decideUnsubscribing, type UnsubscribingOutcome } from '../unsubscribing-decision.js';

/** Unsubscribes people from channels (facts, section 5, DELETE users/me/subscriptions). */
export class UnsubscribeUsers extends Command<UnsubscribingOutcome> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly channelNames: readonly string[];
      /** None: the caller. */
      readonly principals: readonly Principal[];
    },
  ) {
    super();
  }
}

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, request }: UnsubscribeUsers): Promise<UnsubscribingOutcome> {
    const { channelNames, principals } = request;
    assertWithinBudget(channelNames.length, Math.max(1, principals.length));
    const acting = this.actors.acting(caller);
    const userIds = this.actors.subjectIds(principals, acting);
    const lastMessageId = await this.streams.lastMessageId();
    const { decision, event } = await this.streams.across(this.actors.metadata(caller, acting), {
      channelIds: ({ idsByName }) => channelNames.flatMap((name) => idsByName.get(nameKey(name)) ?? []),
      decide: ({ directory, isSubscriber }) =>
        decideUnsubscribing(directory, { channelNames, userIds }, { ...acting, isSubscriber, lastMessageId }),
    });
    if (event !== null) await this.completion.complete(event);
    return decision.outcome;
  }
}
