import type { Snapshot } from '../../access/snapshot.js';
import { mayAddSubscribers, maySubscribe } from '../../access/permissions.js';
import type { Channel } from '../../access/records/channel.js';
import { isGuest } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type {
  ChannelCreated,
  FurtherSubscription,
  UsersSubscribed,
  SubscriptionEvent,
} from '../../events/channels.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { nameKey } from '../../kernel/text.js';
import { channelNameOf } from './channel-name.js';
import type { ChannelSettings } from './channel-settings.js';
import { channelNamed, type ChannelDirectory } from './channels.state.js';
import { createChannels, type ChannelRequest } from './new-channels.decide.js';
import { isSubscriber, type ChannelSubscriptions } from './subscriptions.state.js';

/** What a request to subscribe asks for. */
export interface SubscribingRequest {
  readonly channels: readonly ChannelRequest[];
  /** Whom to subscribe; active accounts. */
  readonly userIds: readonly number[];
  /** For the channels that do not exist yet. */
  readonly settings: ChannelSettings;
  readonly announce: boolean;
  /** Whether those whom the caller subscribes in existing channels are told. */
  readonly notify: boolean;
  /** Whether one channel that the caller may not subscribe to refuses the whole request. */
  readonly refusalIsFatal: boolean;
}

/** What the decision goes by. */
export interface SubscribingContext {
  readonly snapshot: Snapshot;
  readonly user: User;
  /** Whether the person is subscribed to the existing channel now. */
  readonly isSubscriber: (channelId: number, userId: number) => boolean;
  /** The last message that the log holds; 0 when there is none. */
  readonly lastMessageId: number;
}

/** Who was subscribed to what: names of channels by person. */
export interface SubscribingOutcome {
  readonly subscribed: ReadonlyMap<number, readonly string[]>;
  readonly alreadySubscribed: ReadonlyMap<number, readonly string[]>;
  /** Names of the channels that the caller may not subscribe to. */
  readonly unauthorized: readonly string[];
  /** Whether all are told who are to be told; false when they are more than {@link MAX_NOTIFIED}. */
  readonly mayNotify: boolean;
}

/** What a request to subscribe people comes to. */
export interface SubscribingDecision {
  /** For the stream `channels`, or for that of the one channel; empty when nothing changes. */
  readonly events: readonly EventOf<typeof ChannelCreated>[] | readonly [EventOf<typeof UsersSubscribed>];
  readonly outcome: SubscribingOutcome;
}

/** The most people that the notification bot tells of one request; beyond that it stays silent. */
export const MAX_NOTIFIED = 100;

/**
 * Subscribes people to channels, creating those that do not exist. The first event carries the whole intent: what it
 * leaves to other streams stands in its continuation.
 *
 * @throws ApplicationError when the caller may not create or subscribe, or a name or setting will not do
 */
export function decideSubscribing(
  directory: ChannelDirectory,
  request: SubscribingRequest,
  context: SubscribingContext,
): SubscribingDecision {
  const { snapshot, user: caller, lastMessageId } = context;
  if (isGuest(caller)) throw failure('guestsNotAllowed');
  const { existing, missing, unauthorized } = sortChannels(directory, request, context);
  if (request.refusalIsFatal && unauthorized.length > 0) {
    throw failure('inaccessibleChannels', { reason: unauthorized.join(', ') });
  }
  const joins = joinsIn(existing, request, context);
  const others = othersIn(joins, caller);
  const mayNotify = others <= MAX_NOTIFIED;
  const notify = request.notify && mayNotify && others > 0;
  const created = createChannels(
    { snapshot, creator: caller, directory },
    { ...request, requests: missing, subscriberIds: request.userIds, continuation: joins, notify },
  );
  return {
    events: created.length > 0 ? created : subscribedIn(joins, { afterMessageId: lastMessageId, notify }),
    outcome: { ...outcomeOf({ request, existing, created, joins }), unauthorized, mayNotify },
  };
}

function othersIn(joins: readonly FurtherSubscription[], caller: User): number {
  const others = new Set<number>();
  for (const { userIds } of joins) for (const userId of userIds) others.add(userId);
  others.delete(caller.id);
  return others.size;
}

interface ExistingChannel {
  readonly channel: Channel;
  readonly color: string | null;
}

interface SortedChannels {
  readonly existing: readonly ExistingChannel[];
  readonly missing: readonly ChannelRequest[];
  readonly unauthorized: readonly string[];
}

function sortChannels(
  directory: ChannelDirectory,
  { channels, userIds }: SubscribingRequest,
  context: SubscribingContext,
): SortedChannels {
  const existing: ExistingChannel[] = [];
  const missing: ChannelRequest[] = [];
  const unauthorized: string[] = [];
  for (const request of distinct(channels)) {
    const channel = channelNamed(directory, request.name);
    if (channel === null) missing.push(request);
    else if (maySubscribeAll(channel, userIds, context)) existing.push({ channel, color: request.color });
    else unauthorized.push(channel.name);
  }
  return { existing, missing, unauthorized };
}

/** A name that a request repeats, in whatever case, is one channel. */
function distinct(requests: readonly ChannelRequest[]): Iterable<ChannelRequest> {
  const byName = new Map<string, ChannelRequest>();
  for (const request of requests) {
    const name = channelNameOf(request.name);
    const key = nameKey(name);
    if (!byName.has(key)) byName.set(key, { ...request, name });
  }
  return byName.values();
}

function maySubscribeAll(
  channel: Channel,
  userIds: readonly number[],
  { snapshot, user: caller }: SubscribingContext,
): boolean {
  if (userIds.includes(caller.id) && !maySubscribe(snapshot, caller, channel)) return false;
  return userIds.every((id) => id === caller.id) || mayAddSubscribers(snapshot, caller, channel);
}

function joinsIn(
  existing: readonly ExistingChannel[],
  { userIds }: SubscribingRequest,
  { isSubscriber }: SubscribingContext,
): FurtherSubscription[] {
  return existing
    .map(({ channel, color }) => ({
      channelId: channel.id,
      userIds: userIds.filter((userId) => !isSubscriber(channel.id, userId)),
      color,
    }))
    .filter((join) => join.userIds.length > 0);
}

function subscribedIn(
  [first, ...continuation]: readonly FurtherSubscription[],
  rest: { readonly afterMessageId: number; readonly notify: boolean },
): [EventOf<typeof UsersSubscribed>] | [] {
  return first === undefined ? [] : [{ type: 'UsersSubscribed', data: { ...first, ...rest, continuation } }];
}

interface Decided {
  readonly request: SubscribingRequest;
  readonly existing: readonly ExistingChannel[];
  readonly created: readonly EventOf<typeof ChannelCreated>[];
  readonly joins: readonly FurtherSubscription[];
}

function outcomeOf({
  request,
  existing,
  created,
  joins,
}: Decided): Pick<SubscribingOutcome, 'subscribed' | 'alreadySubscribed'> {
  const subscribed = new Map<number, string[]>();
  const alreadySubscribed = new Map<number, string[]>();
  const note = (names: Map<number, string[]>, userId: number, name: string): void => {
    const known = names.get(userId);
    if (known === undefined) names.set(userId, [name]);
    else known.push(name);
  };
  const joinedBy = new Map(joins.map(({ channelId, userIds }) => [channelId, new Set(userIds)]));
  for (const { channel } of existing) {
    const joined = joinedBy.get(channel.id) ?? new Set();
    for (const userId of request.userIds) {
      note(joined.has(userId) ? subscribed : alreadySubscribed, userId, channel.name);
    }
  }
  for (const { data } of created) request.userIds.forEach((userId) => note(subscribed, userId, data.name));
  return { subscribed, alreadySubscribed };
}

/** Who is new, and to which default channel. */
export interface DefaultSubscription {
  readonly channelId: number;
  readonly userId: number;
  readonly afterMessageId: number;
  /** Id of the event that registered the account. */
  readonly causeId: string;
}

/** Whoever has left the channel since is not brought back. */
export function decideDefaultSubscription(
  state: ChannelSubscriptions,
  { channelId, userId, afterMessageId, causeId }: DefaultSubscription,
): readonly SubscriptionEvent[] {
  if (isSubscriber(state, userId) || state.completed.has(causeId)) return [];
  const data = { channelId, userIds: [userId], afterMessageId, color: null, notify: false, continuation: [] };
  return [{ type: 'UsersSubscribed', data }];
}
