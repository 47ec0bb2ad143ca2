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
    entry(this.byChannel, channelId, () => new Map()).set(userId, subscription);
    entry(this.channelIdsByUser, userId, () => new Set()).add(channelId);
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
