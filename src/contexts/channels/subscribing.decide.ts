import type { Snapshot } from '../../access/snapshot.js';
import { mayAddSubscribers, maySubscribe } from '../../access/permissions.js';
import type { Channel } from '../../access/records/channel.js';
import { isGuest } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { ChannelCreated } from '../../events/channels.js';
import type { FurtherSubscription, UsersSubscribed, SubscriptionEvent } from '../../events/subscriptions.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { nameKey } from '../../kernel/text.js';
import { assertRoomForSubscriptions } from './channel-budgets.js';
import { channelNameOf } from './channel-names.js';
import type { ChannelSettings } from './channel-settings.js';
import { channelNamed, type ChannelDirectory } from './channels.state.js';
import { createChannels, firstSubscriptions, type ChannelRequest } from './new-channels.decide.js';
import { isSubscriber, type ChannelSubscriptions } from './subscriptions.state.js';

/** The parameters of a request to subscribe. */
export interface SubscribingRequest {
  readonly channels: readonly ChannelRequest[];
  /** Ids of the people to subscribe, all active. */
  readonly userIds: readonly number[];
  /** Used for channels that do not exist yet. */
  readonly settings: ChannelSettings;
  readonly announce: boolean;
  /** Whether people whom the caller subscribes to existing channels get a notice. */
  readonly notify: boolean;
  /**
   * Whether the whole request fails if the caller may not subscribe to one of the channels; else that channel
   * is skipped.
   */
  readonly refusalIsFatal: boolean;
}

/** What the decision depends on beside the request. */
interface SubscribingContext {
  readonly snapshot: Snapshot;
  readonly user: User;
  /** Whether the person is subscribed to the existing channel now. */
  readonly isSubscriber: (channelId: number, userId: number) => boolean;
  /** Id of the last message in the log; 0 when there is none. */
  readonly lastMessageId: number;
}

/** The names of channels that people were subscribed to, by person. */
export interface SubscribingOutcome {
  readonly subscribed: ReadonlyMap<number, readonly string[]>;
  readonly alreadySubscribed: ReadonlyMap<number, readonly string[]>;
  /** Names of the channels that the caller may not subscribe to. */
  readonly unauthorized: readonly string[];
  /** Whether everyone concerned gets a notice; false when there are more than {@link MAX_NOTIFIED}. */
  readonly mayNotify: boolean;
}

/** The decision about a request to subscribe people. */
export interface SubscribingDecision {
  /** For the stream `channels`, or for that of one channel; empty when nothing changes. */
  readonly events: readonly EventOf<typeof ChannelCreated>[] | readonly [EventOf<typeof UsersSubscribed>];
  readonly outcome: SubscribingOutcome;
}

/** Maximum number of people who get notices because of one request; with more, nobody does. */
export const MAX_NOTIFIED = 100;

/**
 * Subscribes people to channels, creating those that do not exist. The first event carries the whole intent:
 * the work for other streams is in its continuation.
 *
 * @throws ApplicationError when the caller may not create or subscribe, or a name or setting is invalid; `tooManySubscriptions`,
 * unless people subscribe themselves
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
  const wasSubscribed = (channelId: number, userId: number): boolean =>
    snapshot.directory.subscription(channelId, userId) !== null;
  assertRoomForSubscriptions(directory, snapshot.directory, [
    firstSubscriptions(caller.id, { subscriberIds: request.userIds }, missing.length),
    ...joins.map(({ channelId, userIds }) => ({
      creatorId: directory.channels.get(channelId)?.creatorId ?? null,
      // Those who were subscribed before are counted already.
      count: userIds.filter((id) => id !== caller.id && !wasSubscribed(channelId, id)).length,
    })),
  ]);
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

/** A name that a request repeats, ignoring case, is one channel. */
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

/** The new account, and the default channel. */
interface DefaultSubscription {
  readonly channelId: number;
  readonly userId: number;
  readonly afterMessageId: number;
  /** Id of the event that registered the account. */
  readonly causeId: string;
}

/** A person who has left the channel meanwhile is not subscribed again. */
export function decideDefaultSubscription(
  state: ChannelSubscriptions,
  { channelId, userId, afterMessageId, causeId }: DefaultSubscription,
): readonly SubscriptionEvent[] {
  if (isSubscriber(state, userId) || state.completed.has(causeId)) return [];
  const data = { channelId, userIds: [userId], afterMessageId, color: null, notify: false, continuation: [] };
  return [{ type: 'UsersSubscribed', data }];
}
