import type { IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../access/actor.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Directory } from '../../../access/directory.js';
import { KnownPeople } from '../../../access/known-people.js';
import type { Channel } from '../../../access/records/channel.js';
import { isSubscribed, type Subscription } from '../../../access/records/subscription.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { subscriptionFields } from '../channels.view.js';
import { byName, ChannelListing } from '../channel-listing.js';
import { knownChannel } from './channels.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';

/** Whether a person is subscribed to a channel (`GET /users/{user_id}/subscriptions/{stream_id}`). */
export class GetSubscriptionStatus extends Query<boolean> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly channelId: number,
  ) {
    super();
  }
}

@QueryHandler(GetSubscriptionStatus)
export class GetSubscriptionStatusHandler implements IQueryHandler<GetSubscriptionStatus> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  /** @throws ApplicationError `noSuchUser`, also for people whom the caller may not know; `invalidChannel` */
  async execute({ caller, userId, channelId }: GetSubscriptionStatus): Promise<boolean> {
    const actor = this.decisions.actor(caller);
    await assertKnown(this.people, userId, actor);
    const { id } = knownChannel(channelId, actor);
    return isSubscribed(actor.snapshot.directory.subscription(id, userId));
  }
}

/** @throws ApplicationError `noSuchUser` */
async function assertKnown(people: KnownPeople, userId: number, { snapshot, user }: Actor): Promise<void> {
  const person = snapshot.directory.user(userId);
  const knows = await people.predicateFor(user, snapshot);
  if (person === null || !knows(person)) throw failure('noSuchUser');
}

/** Whether the subscribers of each channel are listed. */
export type SubscriberListing = 'true' | 'false' | 'partial';

/** The channels that the caller is subscribed to (`GET /users/me/subscriptions`). */
export class GetSubscriptions extends Query<readonly Record<string, unknown>[]> {
  constructor(
    readonly caller: Caller,
    readonly includeSubscribers: SubscriberListing,
    /** Ids of people who were active lately, whom a partial list must contain. */
    readonly activeIds: readonly number[] = [],
  ) {
    super();
  }
}

/** With fewer subscribers than this, `partial` lists all of them. */
export const ALWAYS_LISTED_BELOW = 250;

interface Subscribed {
  readonly subscription: Subscription;
  readonly channel: Channel;
}

@QueryHandler(GetSubscriptions)
export class GetSubscriptionsHandler implements IQueryHandler<GetSubscriptions> {
  constructor(
    private readonly decisions: Decisions,
    private readonly listing: ChannelListing,
  ) {}

  async execute({
    caller,
    includeSubscribers,
    activeIds,
  }: GetSubscriptions): Promise<readonly Record<string, unknown>[]> {
    const { directory } = this.decisions.actor(caller).snapshot;
    const active = new Set([...activeIds, caller.userId]);
    const subscribed = subscriptionsOf(directory, caller.userId);
    const channels = subscribed.map(({ channel }) => channel);
    const fields = await this.listing.fieldsOf(directory, channels);
    return subscribed.map(({ channel, subscription }, index) => ({
      ...fields[index],
      ...subscriptionFields(subscription),
      ...subscriberFields(directory, channel.id, { include: includeSubscribers, active }),
    }));
  }
}

function subscriptionsOf(directory: Directory, userId: number): Subscribed[] {
  const subscribed: Subscribed[] = [];
  for (const subscription of directory.subscriptionsOfUser(userId)) {
    const channel = directory.channel(subscription.channelId);
    if (channel !== null && !channel.isArchived && isSubscribed(subscription)) {
      subscribed.push({ subscription, channel });
    }
  }
  return subscribed.sort((a, b) => byName(a.channel, b.channel));
}

/** A partial list contains all bots and all people who were active lately, such as the caller. */
export function subscriberFields(
  directory: Directory,
  channelId: number,
  { include, active }: { readonly include: SubscriberListing; readonly active: ReadonlySet<number> },
): Record<string, unknown> {
  if (include === 'false') return {};
  const subscribers = directory.subscriberIds(channelId);
  if (include !== 'partial' || subscribers.length < ALWAYS_LISTED_BELOW) return { subscribers };
  const isListed = (id: number): boolean => active.has(id) || directory.user(id)?.bot !== null;
  return { partial_subscribers: subscribers.filter(isListed) };
}

/** Ids of the channels that a person is subscribed to (`GET /users/{user_id}/channels`). */
export class GetUserChannels extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetUserChannels)
export class GetUserChannelsHandler implements IQueryHandler<GetUserChannels> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  /** @throws ApplicationError `noSuchUser`, also for people whom the caller may not know */
  async execute({ caller, userId }: GetUserChannels): Promise<readonly number[]> {
    const actor = this.decisions.actor(caller);
    await assertKnown(this.people, userId, actor);
    const ids = [...actor.snapshot.directory.subscriptionsOfUser(userId)]
      .filter((subscription) => isSubscribed(subscription) && isShown(subscription.channelId, actor))
      .map(({ channelId }) => channelId);
    return ids.sort((a, b) => a - b);
  }
}

/** People who may know of a channel may know its subscribers. */
function isShown(channelId: number, { snapshot, user: caller }: Actor): boolean {
  const channel = snapshot.directory.channel(channelId);
  return channel !== null && !channel.isArchived && hasMetadataAccess(snapshot, caller, channel);
}
