import type { Channel } from '../../channels/channel.js';
import { subscriptionFields } from '../../channels/channel-fields.js';
import type { SubscriptionEvent } from '../../channels/events.js';
import { isSubscribed } from '../../channels/subscription.js';
import type { Moment } from '../../directory/moment.js';
import { translation, type Notice, type Receiver, type Translations } from '../translation.js';
import {
  accessNotices,
  asKnown,
  channelObject,
  knowersOf,
  peerEvent,
  type Sighted,
} from './channel-access.js';

interface OfChannel {
  readonly data: { readonly channelId: number; readonly userIds: readonly number[] };
}

interface Before {
  readonly knowers: ReadonlySet<number>;
  /** Those of the event's people who were subscribed. */
  readonly subscribers: ReadonlySet<number>;
}

function before({ data: { channelId, userIds } }: OfChannel, moment: Moment): Before {
  const subscribed = userIds.filter((id) => isSubscribed(moment.directory.subscription(channelId, id)));
  return { knowers: knowersOf(moment, channelId), subscribers: new Set(subscribed) };
}

/** Who joins and leaves channels, and how each sets them up. */
export const subscriptionTranslations: Translations<SubscriptionEvent> = {
  UsersSubscribed: translation({
    before: (event, moment) => before(event, moment),
    read: ({ data: { channelId } }, models) => models.activities([channelId]),
    notices: ({ data: { channelId, userIds } }, { moment, before: { knowers, subscribers }, read }) => {
      const channel = moment.directory.channel(channelId);
      if (channel === null) return [];
      const joined = userIds.filter((id) => !subscribers.has(id));
      const access = { before: knowers, after: knowersOf(moment, channelId) };
      return [
        ...accessNotices(channel, access, { moment, activities: read }),
        ...subscribedNotices(channel, joined, { moment, activities: read }),
      ];
    },
  }),
  UsersUnsubscribed: translation({
    before: (event, moment) => before(event, moment),
    notices: ({ data: { channelId, userIds } }, { moment, before: { knowers, subscribers } }) => {
      const channel = moment.directory.channel(channelId);
      const left = userIds.filter((id) => subscribers.has(id));
      if (channel === null || left.length === 0) return [];
      const after = knowersOf(moment, channelId);
      const subscriptions = [{ name: channel.name, stream_id: channelId }];
      return [
        { to: left, event: asKnown(channel, { type: 'subscription', op: 'remove', subscriptions }) },
        peerNotice('peer_remove', { channel, userIds: left }, after),
        ...accessNotices(channel, { before: knowers, after }, { moment, activities: new Map() }),
      ];
    },
  }),
  SubscriptionPropertyChanged: {
    notices: ({ data: { channelId, userId, property, value } }, { moment }) => {
      const channel = moment.directory.channel(channelId);
      if (channel === null) return [];
      const changes =
        property === 'is_muted'
          ? [
              { property: 'in_home_view', value: value !== true },
              { property, value },
            ]
          : [{ property, value }];
      return changes.map((change) => ({
        to: [userId],
        event: asKnown(channel, { type: 'subscription', op: 'update', stream_id: channelId, ...change }),
      }));
    },
  },
};

/** Tells people of a channel that they are subscribed to now, and everyone who may know of it that they are. */
export function subscribedNotices(
  channel: Channel,
  userIds: readonly number[],
  { moment, activities }: Sighted,
): readonly Notice[] {
  if (userIds.length === 0) return [];
  const subscribers = moment.directory.subscriberIds(channel.id);
  const fields = channelObject(moment, channel, activities);
  return [
    {
      to: userIds,
      event: asKnown(channel, ({ user, options }) => {
        const subscription = moment.directory.subscription(channel.id, user.id);
        if (subscription === null) return null;
        const own = withDefaults(subscriptionFields(subscription), { user, options }, moment);
        return { type: 'subscription', op: 'add', subscriptions: [{ ...fields, ...own, subscribers }] };
      }),
    },
    peerNotice('peer_add', { channel, userIds }, knowersOf(moment, channel.id)),
  ];
}

/** Who subscribed or unsubscribed is told so apart; who came learns of the others with that, who left does so here. */
export function peerNotice(
  op: 'peer_add' | 'peer_remove',
  { channel, userIds }: { readonly channel: Channel; readonly userIds: readonly number[] },
  knowers: ReadonlySet<number>,
): Notice {
  const peers = new Set(userIds);
  const isTold = (id: number) => !peers.has(id) || (op === 'peer_remove' && peers.size > 1);
  const sorted = [...userIds].sort((a, b) => a - b);
  const ofAll = peerEvent(op, [channel.id], sorted);
  const ofOthers = (id: number) =>
    peerEvent(
      op,
      [channel.id],
      sorted.filter((peer) => peer !== id),
    );
  return {
    to: ({ id }) => knowers.has(id) && isTold(id),
    event: asKnown(channel, ({ user: { id } }) => (peers.has(id) ? ofOthers(id) : ofAll)),
  };
}

/** Which setting of the person each of a channel's follows where the channel says nothing. */
const inherited = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

/** For clients that do not know that such a setting may be inherited, it is what it comes to. */
export function withDefaults(
  fields: Record<string, unknown>,
  { options, user }: Pick<Receiver, 'options' | 'user'>,
  { directory }: Moment,
): Record<string, unknown> {
  if (options.capabilities.notification_settings_null) return fields;
  const said = Object.entries(inherited).map(([name, setting]) => [
    name,
    fields[name] ?? directory.settings.value(user.id, setting),
  ]);
  return { ...fields, ...(Object.fromEntries(said) as object) };
}
