import type { EventOf } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { isSubscriber, type ChannelSubscriptions } from './subscriptions.state.js';
import { ChannelCreated } from '../../events/channels.js';
import { subscriptionEvents, type SubscriptionEvent } from '../../events/subscriptions.js';

/** Events that may leave work for the streams of other channels. */
export const continuedEvents = [ChannelCreated, ...subscriptionEvents] as const;
export type ContinuedEvent = EventOf<(typeof continuedEvents)[number]>;

/** What the decision in another channel depends on. */
interface CompletionContext {
  /** Id of the event that left the work. */
  readonly causeId: string;
  /** Id of the last message in the log; 0 when there is none. */
  readonly lastMessageId: number;
}

/** The work that an event left for one other channel. */
export interface Completion {
  readonly channelId: number;
  /** Returns no events when it was done already, or when nothing has to change. */
  readonly decide: (state: ChannelSubscriptions, context: CompletionContext) => readonly SubscriptionEvent[];
}

/** The work that an event left for other channels, one item a channel, in the order of the request. */
export function completionsOf(event: ContinuedEvent): readonly Completion[] {
  switch (event.type) {
    case 'ChannelCreated':
    case 'UsersSubscribed':
      return event.data.continuation.map(({ channelId, userIds, color }) =>
        once(channelId, (state, { lastMessageId: afterMessageId }) => {
          const joining = userIds.filter((userId) => !isSubscriber(state, userId));
          const data = {
            channelId,
            userIds: joining,
            afterMessageId,
            color,
            notify: false,
            continuation: [],
          };
          return joining.length === 0 ? [] : [{ type: 'UsersSubscribed', data }];
        }),
      );
    case 'UsersUnsubscribed':
      return event.data.continuation.map(({ channelId, userIds }) =>
        once(channelId, (state, { lastMessageId: throughMessageId }) => {
          const leaving = userIds.filter((userId) => isSubscriber(state, userId));
          const data = { channelId, userIds: leaving, throughMessageId, continuation: [] };
          return leaving.length === 0 ? [] : [{ type: 'UsersUnsubscribed', data }];
        }),
      );
    case 'SubscriptionPropertyChanged':
      return settingCompletions(event.data);
    default:
      return unreachable(event);
  }
}

type Setting = Extract<SubscriptionEvent, { type: 'SubscriptionPropertyChanged' }>['data'];

function settingCompletions({ userId, continuation }: Setting): Completion[] {
  const channelIds = new Set(continuation.map(({ channelId }) => channelId));
  return [...channelIds].map((id) =>
    once(id, (state) => {
      if (!isSubscriber(state, userId)) return [];
      return continuation
        .filter(({ channelId }) => channelId === id)
        .map((change) => ({
          type: 'SubscriptionPropertyChanged',
          data: { ...change, userId, continuation: [] },
        }));
    }),
  );
}

/** Prevents that repeating the work brings back a person who has left again meanwhile. */
function once(channelId: number, decide: Completion['decide']): Completion {
  return {
    channelId,
    decide: (state, context) => (state.completed.has(context.causeId) ? [] : decide(state, context)),
  };
}
