import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { nameKey } from '../../../kernel/text.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { ChannelStreams } from '../channel-streams.js';
import { Principals, type Principal } from '../principals.js';
import { CompleteSubscriptions } from '../reactors/complete-subscriptions.js';
import {
  decideSubscribing,
  type SubscribingOutcome,
  type SubscribingRequest,
} from '../subscribing.decide.js';
import { decideSetting, type PropertyRequest } from '../subscription-properties.decide.js';
import { decideUnsubscribing, type UnsubscribingOutcome } from '../unsubscribing.decide.js';

/**
 * Limits the number of pairs of a person and a channel that one request changes, each of which is stored and
 * sent to clients.
 *
 * @throws ApplicationError `tooManyChannelsAtOnce`, `tooManySubscriptionsAtOnce`
 */
function assertWithinBudget(channels: number, people: number): void {
  const { channelsOfRequest, subscriptionsOfRequest } = budgets;
  if (channels > channelsOfRequest.max) {
    throw failure('tooManyChannelsAtOnce', { reason: String(channelsOfRequest.max) });
  }
  if (channels * people > subscriptionsOfRequest.max) {
    throw failure('tooManySubscriptionsAtOnce', { reason: String(subscriptionsOfRequest.max) });
  }
}

/** Subscribes people to channels and creates those that do not exist (`POST /users/me/subscriptions`). */
export class SubscribeUsers extends Command<SubscribingOutcome> {
  constructor(
    readonly caller: Caller,
    readonly request: Omit<SubscribingRequest, 'userIds'> & {
      /** Empty: the caller. */
      readonly principals: readonly Principal[];
    },
  ) {
    super();
  }
}

@CommandHandler(SubscribeUsers)
export class SubscribeUsersHandler implements ICommandHandler<SubscribeUsers> {
  constructor(
    private readonly decisions: Decisions,
    private readonly principals: Principals,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, request }: SubscribeUsers): Promise<SubscribingOutcome> {
    assertWithinBudget(request.channels.length, Math.max(1, request.principals.length));
    const actor = this.decisions.actor(caller);
    const userIds = await this.principals.subjectIds(request.principals, actor);
    const lastMessageId = await this.streams.lastMessageId();
    const { decision, event } = await this.streams.across(requestMetadata(caller, actor.snapshot.now), {
      channelIds: ({ idsByName }) =>
        request.channels.flatMap(({ name }) => idsByName.get(nameKey(name)) ?? []),
      decide: ({ directory, isSubscriber }) =>
        decideSubscribing(directory, { ...request, userIds }, { ...actor, isSubscriber, lastMessageId }),
    });
    if (event !== null) await this.completion.complete(event);
    return decision.outcome;
  }
}

/** Unsubscribes people from channels (`DELETE /users/me/subscriptions`). */
export class UnsubscribeUsers extends Command<UnsubscribingOutcome> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly channelNames: readonly string[];
      /** Empty: the caller. */
      readonly principals: readonly Principal[];
    },
  ) {
    super();
  }
}

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers> {
  constructor(
    private readonly decisions: Decisions,
    private readonly principals: Principals,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, request }: UnsubscribeUsers): Promise<UnsubscribingOutcome> {
    const { channelNames, principals } = request;
    assertWithinBudget(channelNames.length, Math.max(1, principals.length));
    const actor = this.decisions.actor(caller);
    const userIds = await this.principals.subjectIds(principals, actor);
    const lastMessageId = await this.streams.lastMessageId();
    const { decision, event } = await this.streams.across(requestMetadata(caller, actor.snapshot.now), {
      channelIds: ({ idsByName }) => channelNames.flatMap((name) => idsByName.get(nameKey(name)) ?? []),
      decide: ({ directory, isSubscriber }) =>
        decideUnsubscribing(directory, { channelNames, userIds }, { ...actor, isSubscriber, lastMessageId }),
    });
    if (event !== null) await this.completion.complete(event);
    return decision.outcome;
  }
}

/**
 * Sets how channels look or notify for the caller (`PATCH /users/me/subscriptions/{stream_id}`, `POST
 * /users/me/subscriptions/properties`).
 */
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
    private readonly decisions: Decisions,
    private readonly streams: ChannelStreams,
    private readonly completion: CompleteSubscriptions,
  ) {}

  async execute({ caller, requests }: SetSubscriptionProperties): Promise<void> {
    const actor = this.decisions.actor(caller);
    const { event } = await this.streams.across(requestMetadata(caller, actor.snapshot.now), {
      channelIds: () => requests.map(({ channelId }) => channelId),
      decide: (state) => ({ events: decideSetting(requests, { ...state, userId: caller.userId }) }),
    });
    if (event !== null) await this.completion.complete(event);
  }
}
