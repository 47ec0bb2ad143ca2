import type { RecordedEvent, EventOf } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import type { ChannelCreated } from '../../events/channels.js';
import type { SubscriptionEvent } from '../../events/subscriptions.js';
import { isInRange } from '../../kernel/ids.js';

/**
 * A period in which a person received a channel's messages: those with ids above `after`, up to and including
 * `through`.
 */
export interface SubscriptionPeriod {
  readonly after: number;
  /** Null while the period lasts. */
  readonly through: number | null;
  /** Revision of the channel's stream at which it began; -1: with the channel's creation. */
  readonly joinedAt: number;
  /** Revision at which it ended; null while it lasts. */
  readonly leftAt: number | null;
}

/**
 * One person's relation to one channel. It is kept after they leave, because they may still read what they
 * received.
 */
export interface Subscription {
  readonly channelId: number;
  readonly userId: number;
  /** Oldest first, without overlaps; the last one is open exactly while the person is subscribed. */
  readonly periods: readonly SubscriptionPeriod[];
  /** Lower-case hexadecimal with six digits and a number sign. */
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  /** Null: the person's own setting applies. */
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

/**
 * Events that change subscriptions: those of `channel-<id>`, and a channel's creation with its first
 * subscribers.
 */
export type SubscribingEvent = EventOf<typeof ChannelCreated> | SubscriptionEvent;

/** Whether the person is subscribed now. */
export function isSubscribed(subscription: Subscription | null | undefined): boolean {
  return subscription?.periods.at(-1)?.through === null;
}

/** Whether a message reached the person through this subscription. */
export function hasReceived(subscription: Subscription | null | undefined, messageId: number): boolean {
  return (subscription?.periods ?? []).some((period) => isInRange(messageId, period));
}

/** A range of message ids: those above `after`, up to and including `through` (null: no end). */
type ReceivedRange = Pick<SubscriptionPeriod, 'after' | 'through'>;

/**
 * The ids of the messages that reached the person through this subscription, oldest first. Periods in which no message
 * was sent are left out, and periods between which none was sent are one range.
 */
export function receivedRanges(subscription: Subscription | null | undefined): readonly ReceivedRange[] {
  const ranges: ReceivedRange[] = [];
  for (const { after, through } of subscription?.periods ?? []) {
    if (through !== null && through <= after) continue;
    const last = ranges.at(-1);
    const isNext = last !== undefined && last.through !== null && last.through >= after;
    if (isNext) ranges[ranges.length - 1] = { after: last.after, through };
    else ranges.push({ after, through });
  }
  return ranges;
}

/**
 * Whether the person was subscribed at a revision of the channel's stream. Message ids do not tell this,
 * because several events may happen between two messages.
 */
export function wasSubscribedAt(subscription: Subscription | null, revision: number): boolean {
  return (subscription?.periods ?? []).some(
    ({ joinedAt, leftAt }) => joinedAt <= revision && (leftAt === null || leftAt > revision),
  );
}

/** Ids of the people whose subscription the event changes. */
export function subscribersIn(event: SubscribingEvent): readonly number[] {
  switch (event.type) {
    case 'ChannelCreated':
      return event.data.subscriberIds;
    case 'UsersSubscribed':
    case 'UsersUnsubscribed':
      return event.data.userIds;
    case 'SubscriptionPropertyChanged':
      return [event.data.userId];
    default:
      return unreachable(event);
  }
}

/** Applies an event to one person's subscription; null if they never had one. */
export function evolveSubscription(
  subscription: Subscription | null,
  event: RecordedEvent<SubscribingEvent>,
  userId: number,
): Subscription | null {
  switch (event.type) {
    // Periods are made individually: there may be many thousands, and copying the whole event costs several
    // times as much.
    case 'ChannelCreated': {
      const { channelId, color } = event.data;
      return subscribed(subscription, { channelId, color, userId, afterMessageId: 0, joinedAt: -1 });
    }
    case 'UsersSubscribed': {
      const { channelId, color, afterMessageId } = event.data;
      return subscribed(subscription, { channelId, color, userId, afterMessageId, joinedAt: event.revision });
    }
    case 'UsersUnsubscribed':
      return subscription && unsubscribed(subscription, event.data.throughMessageId, event.revision);
    case 'SubscriptionPropertyChanged':
      return subscription && changed(subscription, event.data.property, event.data.value);
    default:
      return unreachable(event);
  }
}

interface Joining {
  readonly channelId: number;
  readonly userId: number;
  readonly afterMessageId: number;
  readonly joinedAt: number;
  readonly color: string | null;
}

function subscribed(
  existing: Subscription | null,
  { channelId, userId, afterMessageId, joinedAt, color }: Joining,
): Subscription {
  if (existing !== null && isSubscribed(existing)) return existing;
  const base = existing ?? fresh(channelId, userId);
  return {
    ...base,
    color: color ?? base.color,
    periods: [...base.periods, { after: afterMessageId, through: null, joinedAt, leftAt: null }],
  };
}

function unsubscribed(subscription: Subscription, through: number, leftAt: number): Subscription {
  if (!isSubscribed(subscription)) return subscription;
  const periods = subscription.periods.map((period) =>
    period.through === null ? { ...period, through, leftAt } : period,
  );
  return { ...subscription, periods };
}

/** The palette of known clients; a person's colour follows from the ids. */
const palette = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
];

function fresh(channelId: number, userId: number): Subscription {
  return {
    channelId,
    userId,
    periods: [],
    color: palette[(channelId + userId) % palette.length] ?? '#c2c2c2',
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
  };
}

type PropertyChange = Extract<SubscriptionEvent, { type: 'SubscriptionPropertyChanged' }>['data'];

/** The field of a subscription that each property of the API sets. */
export const subscriptionFieldOf = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'pinToTop',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<PropertyChange['property'], keyof Subscription>;

function changed(
  subscription: Subscription,
  property: PropertyChange['property'],
  value: PropertyChange['value'],
): Subscription {
  return { ...subscription, [subscriptionFieldOf[property]]: value };
}
