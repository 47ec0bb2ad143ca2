import { nameKey } from '../../kernel/text.js';
import type { Snapshot } from '../../access/snapshot.js';
import { hasMetadataAccess, mayRemoveSubscribers } from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { User } from '../../access/records/user.js';
import type { Channel } from '../../access/records/channel.js';
import { channelNamed, type ChannelDirectory } from './channels.state.js';
import type { UsersUnsubscribed } from '../../events/subscriptions.js';

/** The parameters of a request to unsubscribe. */
interface UnsubscribingRequest {
  readonly channelNames: readonly string[];
  readonly userIds: readonly number[];
}

/** What the decision depends on beside the request. */
interface UnsubscribingContext {
  readonly snapshot: Snapshot;
  readonly user: User;
  /** Whether the person is subscribed to the channel now. */
  readonly isSubscriber: (channelId: number, userId: number) => boolean;
  /** Id of the last message in the log; 0 when there is none. */
  readonly lastMessageId: number;
}

/** The result of unsubscribing, by channel. */
export interface UnsubscribingOutcome {
  /** Names of the channels that somebody was unsubscribed from. */
  readonly removed: readonly string[];
  /** Names of the channels that somebody was not subscribed to. */
  readonly notRemoved: readonly string[];
}

/** The decision about a request to unsubscribe people. */
export interface UnsubscribingDecision {
  /**
   * For the stream of its channel, with the other channels in its continuation; empty when nobody was
   * subscribed.
   */
  readonly events: readonly EventOf<typeof UsersUnsubscribed>[];
  readonly outcome: UnsubscribingOutcome;
}

/**
 * Unsubscribes people from channels.
 *
 * @throws ApplicationError `unknownChannels` for channels that do not exist or that the caller may not know
 * of, `insufficientPermission` when the caller may not unsubscribe others from one of them
 */
export function decideUnsubscribing(
  directory: ChannelDirectory,
  request: UnsubscribingRequest,
  context: UnsubscribingContext,
): UnsubscribingDecision {
  const channels = visibleChannels(directory, request.channelNames, context);
  assertMayRemove(channels, request.userIds, context);
  const departures = channels.map((channel) => ({
    channel,
    userIds: request.userIds.filter((userId) => context.isSubscriber(channel.id, userId)),
  }));
  const left = departures.filter(({ userIds }) => userIds.length > 0);
  const stayed = departures.filter(({ userIds }) => userIds.length < request.userIds.length);
  const [first, ...continuation] = left.map(({ channel, userIds }) => ({ channelId: channel.id, userIds }));
  const throughMessageId = context.lastMessageId;
  return {
    events:
      first === undefined
        ? []
        : [{ type: 'UsersUnsubscribed', data: { ...first, throughMessageId, continuation } }],
    outcome: {
      removed: left.map(({ channel }) => channel.name),
      notRemoved: stayed.map(({ channel }) => channel.name),
    },
  };
}

function visibleChannels(
  directory: ChannelDirectory,
  names: readonly string[],
  { snapshot, user: caller }: UnsubscribingContext,
): Channel[] {
  const byKey = new Map(names.map((name) => [nameKey(name), name]));
  const unknown: string[] = [];
  const channels: Channel[] = [];
  for (const name of byKey.values()) {
    const channel = channelNamed(directory, name);
    if (channel !== null && hasMetadataAccess(snapshot, caller, channel)) channels.push(channel);
    else unknown.push(name);
  }
  if (unknown.length > 0) throw failure('unknownChannels', { reason: unknown.join(', ') });
  return channels;
}

function assertMayRemove(
  channels: readonly Channel[],
  userIds: readonly number[],
  { snapshot, user: caller }: UnsubscribingContext,
): void {
  const isOwn = (id: number): boolean =>
    id === caller.id || snapshot.directory.user(id)?.bot?.ownerId === caller.id;
  if (userIds.every(isOwn)) return;
  if (!channels.every((channel) => mayRemoveSubscribers(snapshot, caller, channel))) {
    throw failure('insufficientPermission');
  }
}
