import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { nameKey } from '../../../kernel/fold-case.js';
import type { Caller } from '../../../http/caller.js';
import { Actors, type Principal } from '../actors.js';
import { ChannelStreams } from '../channel-streams.js';
import { CompleteSubscriptions } from '../reactors/complete-subscriptions.js';
import { assertWithinBudget } from '../subscription-budget.js';
import {
  decideSubscribing,
  type SubscribingOutcome,
  type SubscribingRequest,
} from '../subscribing-decision.js';

/** Subscribes people to channels and creates those that do not exist (facts, section 5, POST users/me/subscriptions). */
export class SubscribeUsers extends Command<SubscribingOutcome> {
  constructor(
    readonly caller: Caller,
    readonly request: Omit<SubscribingRequest, 'userIds'> & {
      /** None: the caller. */
      readonly principals: readonly Principal[];
    },
  ) {
    super();
  }
}

@CommandHandler(SubscribeUsers)
export class SubscribeUsersHandler implements ICommandHandler<SubscribeUsers> {
  constructor(
    private readonly actors: Actors,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, request }: SubscribeUsers): Promise<SubscribingOutcome> {
    assertWithinBudget(request.channels.length, Math.max(1, request.principals.length));
    const acting = this.actors.acting(caller);
    const userIds = this.actors.subjectIds(request.principals, acting);
    const lastMessageId = await this.streams.lastMessageId();
    const { decision, event } = await this.streams.across(this.actors.metadata(caller, acting), {
      channelIds: ({ idsByName }) =>
        request.channels.flatMap(({ name }) => idsByName.get(nameKey(name)) ?? []),
      decide: ({ directory, isSubscriber }) =>
        decideSubscribing(directory, { ...request, userIds }, { ...acting, isSubscriber, lastMessageId }),
    });
    if (event !== null) await this.completion.complete(event);
    return decision.outcome;
  }
}
