import type { RecordedEvent } from '../kernel/event.js';
import {
  evolveSubscription,
  subscribersIn,
  type SubscribingEvent,
  type Subscription,
} from './records/subscription.js';

/** Who is or was subscribed to which channel. */
export class Subscriptions {
  private readonly byChannel = new Map<number, Map<number, Subscription>>();
  private readonly channelIdsByUser = new Map<number, Set<number>>();
  /** The last periods of each channel that were put. */
  private readonly lastPeriods = new Map<number, Periods>();

  get(channelId: number, userId: number): Subscription | null {
    return this.byChannel.get(channelId)?.get(userId) ?? null;
  }

  ofChannel(channelId: number): Iterable<Subscription> {
    return this.byChannel.get(channelId)?.values() ?? [];
  }

  *ofUser(userId: number): Iterable<Subscription> {
    for (const channelId of this.channelIdsByUser.get(userId) ?? []) {
      const subscription = this.get(channelId, userId);
      if (subscription !== null) yield subscription;
    }
  }

  *all(): Iterable<Subscription> {
    for (const byUser of this.byChannel.values()) yield* byUser.values();
  }

  apply(event: RecordedEvent<SubscribingEvent>): void {
    const { channelId } = event.data;
    for (const userId of subscribersIn(event)) {
      const subscription = evolveSubscription(this.get(channelId, userId), event, userId);
      if (subscription !== null) this.put(subscription);
    }
  }

  put(subscription: Subscription): void {
    const { channelId, userId } = subscription;
    const periods = this.shared(subscription);
    entry(this.byChannel, channelId, () => new Map()).set(userId, compact(subscription, periods));
    entry(this.channelIdsByUser, userId, () => new Set()).add(channelId);
  }

  /** How many people are or were subscribed to a channel. */
  countOf(channelId: number): number {
    return this.byChannel.get(channelId)?.size ?? 0;
  }

  /** People who joined a channel together share the object with their periods: an organization has hundreds of thousands. */
  private shared({ channelId, periods }: Subscription): Periods {
    const last = this.lastPeriods.get(channelId);
    if (last !== undefined && areSame(last, periods)) return last;
    this.lastPeriods.set(channelId, periods);
    return periods;
  }
}

type Periods = Subscription['periods'];

function areSame(some: Periods, others: Periods): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const { after, through, joinedAt, leftAt } = others[index]!;
      return (
        one.after === after && one.through === through && one.joinedAt === joinedAt && one.leftAt === leftAt
      );
    })
  );
}

/** An object made by spreading another one takes half as much memory again. */
function compact(subscription: Subscription, periods: Periods): Subscription {
  return {
    channelId: subscription.channelId,
    userId: subscription.userId,
    periods,
    color: subscription.color,
    isMuted: subscription.isMuted,
    pinToTop: subscription.pinToTop,
    desktopNotifications: subscription.desktopNotifications,
    audibleNotifications: subscription.audibleNotifications,
    pushNotifications: subscription.pushNotifications,
    emailNotifications: subscription.emailNotifications,
    wildcardMentionsNotify: subscription.wildcardMentionsNotify,
  };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
