import type { Fold } from '../../kernel/fold.js';
import type { DomainEvent, Recorded, RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { ChannelCreated } from '../../events/channels.js';
import {
  evolveSubscription,
  isSubscribed,
  subscribersIn,
  type SubscribingEvent,
  type Subscription,
} from '../../access/records/subscription.js';

/** Name of the stream with the subscriptions to a channel and their properties. */
export function channelStream(channelId: number): string {
  return `channel-${channelId}`;
}

/** Everyone who is or was subscribed to one channel. */
export interface ChannelSubscriptions {
  readonly byUser: PersistentMap<number, Subscription>;
  /** Ids of events in other channels whose continuation was completed here. */
  readonly completed: PersistentMap<string, true>;
}

/** Folds one channel's subscriptions, starting with its creation, which is in another stream. */
export function channelSubscriptionsFold(
  creation: Recorded<typeof ChannelCreated>,
): Fold<ChannelSubscriptions, RecordedEvent> {
  const none: ChannelSubscriptions = { byUser: PersistentMap.empty(), completed: PersistentMap.empty() };
  return {
    snapshot: { name: 'channel-subscriptions', version: 1 },
    initial: evolveSubscriptions(none, creation),
    evolve: evolveSubscriptions,
  };
}

/** Whether the person is subscribed now. */
export function isSubscriber({ byUser }: ChannelSubscriptions, userId: number): boolean {
  return isSubscribed(byUser.get(userId));
}

/** The stream has other events too, such as moves of messages, which are ignored here. */
function evolveSubscriptions(state: ChannelSubscriptions, event: RecordedEvent): ChannelSubscriptions {
  if (!isSubscribing(event)) return state;
  const { causationId } = event.metadata;
  return {
    byUser: subscribersIn(event).reduce((byUser, userId) => {
      const subscription = evolveSubscription(byUser.get(userId) ?? null, event, userId);
      return subscription === null ? byUser : byUser.set(userId, subscription);
    }, state.byUser),
    completed: causationId === null ? state.completed : state.completed.set(causationId, true),
  };
}

const subscribingTypes: ReadonlySet<string> = new Set<SubscribingEvent['type']>([
  'ChannelCreated',
  'UsersSubscribed',
  'UsersUnsubscribed',
  'SubscriptionPropertyChanged',
]);

function isSubscribing(event: DomainEvent): event is RecordedEvent<SubscribingEvent> {
  return subscribingTypes.has(event.type);
}
