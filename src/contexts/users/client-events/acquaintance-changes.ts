import { hidesPeople, isAcquainted, isShownEveryone, shareChannel } from '../../../access/acquaintances.js';
import type { DirectConversations } from '../../../access/direct-conversations.js';
import type { Directory } from '../../../access/directory.js';
import { includes } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { isGuest } from '../../../access/records/roles.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { User } from '../../../access/records/user.js';
import { ChannelCreated } from '../../../events/channels.js';
import { UsersSubscribed, UsersUnsubscribed } from '../../../events/subscriptions.js';
import { MessageSent } from '../../../events/messages.js';
import { OrganizationPermissionsChanged } from '../../../events/organization.js';
import { UserDeactivated, UserReactivated } from '../../../events/deactivation.js';
import { UserRoleChanged } from '../../../events/users.js';
import type { Recorded, RecordedEvent } from '../../../kernel/event.js';
import type { ConnectedAccounts } from '../../../realtime/mapper.js';

/** A change of who may know whom. */
export interface AcquaintanceChange {
  /** Whether the change affects whom a viewer may know. */
  concerns(viewer: User): boolean;
  /**
   * Ids of the people whom the viewer may get to know or stop knowing; only for viewers whom it {@link
   * concerns}. It may contain people who are known before and after.
   */
  others(viewer: User): Iterable<number>;
  /** Whether the viewer could know another person before the change. */
  knew(viewer: User, other: User): boolean;
}

/** The state after an event. */
interface ChangeContext<Before = unknown> {
  readonly snapshot: Snapshot;
  readonly before: Before;
  /** The conversations of the people in {@link AcquaintanceRow.conversationsOf}, from before the event. */
  readonly conversations: DirectConversations;
}

/** How a type of event changes who may know whom. */
interface AcquaintanceRow<Event = RecordedEvent> {
  /** Remembers state that the event is about to change. */
  before?(event: Event, snapshot: Snapshot): unknown;
  /** Ids of the people whose conversations have to be looked up: one of each pair that the event affects. */
  conversationsOf(event: Event, snapshot: Snapshot, connected: ConnectedAccounts): readonly number[];
  /** Null: the event changes nothing. */
  change(event: Event, context: ChangeContext): AcquaintanceChange | null;
}

function row<Event, Before = undefined>(steps: {
  readonly before?: (event: Event, snapshot: Snapshot) => Before;
  readonly conversationsOf: (
    event: Event,
    snapshot: Snapshot,
    connected: ConnectedAccounts,
  ) => readonly number[];
  readonly change: (event: Event, context: ChangeContext<Before>) => AcquaintanceChange | null;
}): AcquaintanceRow<Event> {
  return steps;
}

/** By the type of the event. */
export const acquaintanceRows: Readonly<Record<string, AcquaintanceRow>> = {
  [ChannelCreated.type]: row<Recorded<typeof ChannelCreated>>({
    conversationsOf: ({ data: { subscriberIds } }, snapshot, connected) =>
      guestsWithClients(subscriberIds, snapshot, connected),
    change: ({ data: { channelId, subscriberIds } }, context) =>
      channelJoined(channelId, subscriberIds, context),
  }),
  [UsersSubscribed.type]: row({
    before: (event: Recorded<typeof UsersSubscribed>, snapshot) => subscribedAmong(event, snapshot),
    conversationsOf: guestsAround,
    change: ({ data: { channelId, userIds } }, context) => {
      const joined = userIds.filter((id) => !context.before.has(id));
      return channelJoined(channelId, joined, context);
    },
  }),
  [UsersUnsubscribed.type]: row({
    before: (event: Recorded<typeof UsersUnsubscribed>, snapshot) => subscribedAmong(event, snapshot),
    conversationsOf: guestsAround,
    change: ({ data: { channelId } }, context) => channelLeft(channelId, context.before, context),
  }),
  [UserDeactivated.type]: row<Recorded<typeof UserDeactivated>>({
    conversationsOf: ({ data: { userId } }) => [userId],
    change: ({ data: { userId } }, { snapshot, conversations }) => ({
      concerns: (viewer) => !isShownEveryone(snapshot, viewer),
      others: () => [userId],
      knew: (viewer, other) =>
        shareChannel(snapshot.directory, [viewer.id, other.id]) || conversations.had(viewer.id, other.id),
    }),
  }),
  [UserReactivated.type]: row<Recorded<typeof UserReactivated>>({
    conversationsOf: ({ data: { userId } }) => [userId],
    change: ({ data: { userId } }, { snapshot, conversations }) => ({
      concerns: (viewer) => !isShownEveryone(snapshot, viewer),
      others: () => [userId],
      knew: (viewer, { id, bot }) => bot !== null || conversations.had(viewer.id, id),
    }),
  }),
  [UserRoleChanged.type]: row({
    before: ({ data: { userId } }: Recorded<typeof UserRoleChanged>, snapshot) => {
      const user = snapshot.directory.user(userId);
      return user !== null && isShownEveryone(snapshot, user);
    },
    conversationsOf: ({ data: { userId } }) => [userId],
    change: ({ data: { userId } }, context) => {
      const { snapshot, before } = context;
      const knewEveryone = (viewer: User): boolean =>
        viewer.id === userId ? before : isShownEveryone(snapshot, viewer);
      return knowledgeOfEveryone(context, knewEveryone);
    },
  }),
  [OrganizationPermissionsChanged.type]: row({
    before: (_event: Recorded<typeof OrganizationPermissionsChanged>, { directory }) =>
      directory.organization?.permissions.can_access_all_users_group ?? null,
    conversationsOf: ({ data }, snapshot, connected) =>
      data.permissions.can_access_all_users_group === undefined
        ? []
        : guestsWithClients(idsOf(snapshot.directory), snapshot, connected),
    change: ({ data }, context) => {
      const { before: setting, snapshot } = context;
      if (data.permissions.can_access_all_users_group === undefined || setting === null) return null;
      return knowledgeOfEveryone(context, (viewer) => includes(snapshot, setting, viewer));
    },
  }),
  [MessageSent.type]: row<Recorded<typeof MessageSent>>({
    conversationsOf: ({ data: { recipient } }, snapshot, connected) =>
      recipient.type === 'direct' ? guestsWithClients(recipient.userIds, snapshot, connected) : [],
    change: ({ data: { recipient } }, { snapshot, conversations }) => {
      if (recipient.type !== 'direct' || !hidesPeople(snapshot)) return null;
      const { userIds } = recipient;
      return {
        concerns: (viewer) => userIds.includes(viewer.id) && !isShownEveryone(snapshot, viewer),
        others: () => userIds,
        knew: (viewer, other) => isAcquainted(snapshot, { viewer, conversations }, other),
      };
    },
  }),
};

interface OfChannel {
  readonly data: { readonly channelId: number; readonly userIds: readonly number[] };
}

function subscribedAmong(
  { data: { channelId, userIds } }: OfChannel,
  { directory }: Snapshot,
): ReadonlySet<number> {
  return new Set(userIds.filter((id) => isSubscribed(directory.subscription(channelId, id))));
}

/**
 * Only guests can get to know people or stop knowing them, and only those with a client in this process
 * matter.
 */
function guestsWithClients(
  userIds: Iterable<number>,
  { directory }: Snapshot,
  connected: ConnectedAccounts,
): readonly number[] {
  return [...new Set(userIds)].filter((id) => {
    const user = directory.user(id);
    return user !== null && isGuest(user) && connected.hasClient(id);
  });
}

function guestsAround(
  { data: { channelId, userIds } }: OfChannel,
  snapshot: Snapshot,
  connected: ConnectedAccounts,
): readonly number[] {
  const subscriberIds = snapshot.directory.subscriberIds(channelId);
  return guestsWithClients([...userIds, ...subscriberIds], snapshot, connected);
}

function* idsOf(directory: Directory): Iterable<number> {
  for (const { id } of directory.users()) yield id;
}

/** The change when people join a channel: they and its subscribers may know each other. */
function channelJoined(
  channelId: number,
  joined: readonly number[],
  { snapshot, conversations }: ChangeContext,
): AcquaintanceChange | null {
  if (!hidesPeople(snapshot) || joined.length === 0) return null;
  const { directory } = snapshot;
  const came = new Set(joined);
  const subscriberIds = directory.subscriberIds(channelId);
  return {
    concerns: (viewer) =>
      isSubscribed(directory.subscription(channelId, viewer.id)) && !isShownEveryone(snapshot, viewer),
    others: ({ id }) => (came.has(id) ? subscriberIds : came),
    knew: (viewer, { id, bot }) =>
      id === viewer.id ||
      bot !== null ||
      shareChannel(directory, [viewer.id, id], channelId) ||
      conversations.had(viewer.id, id),
  };
}

/** The change when people leave a channel: it no longer makes them known to its subscribers, nor to each other. */
function channelLeft(
  channelId: number,
  left: ReadonlySet<number>,
  { snapshot, conversations }: ChangeContext,
): AcquaintanceChange | null {
  if (!hidesPeople(snapshot) || left.size === 0) return null;
  const { directory } = snapshot;
  const around = [...left, ...directory.subscriberIds(channelId)];
  const wasThere = ({ id }: User): boolean =>
    left.has(id) || isSubscribed(directory.subscription(channelId, id));
  return {
    concerns: (viewer) => wasThere(viewer) && !isShownEveryone(snapshot, viewer),
    others: ({ id }) => (left.has(id) ? around : left),
    knew: (viewer, other) => other.isActive || isAcquainted(snapshot, { viewer, conversations }, other),
  };
}

/** A change by which some people may know everyone, or may no longer. */
function knowledgeOfEveryone(
  { snapshot, conversations }: ChangeContext,
  knewEveryone: (viewer: User) => boolean,
): AcquaintanceChange {
  return {
    concerns: (viewer) => knewEveryone(viewer) !== isShownEveryone(snapshot, viewer),
    others: () => idsOf(snapshot.directory),
    knew: (viewer, other) => knewEveryone(viewer) || isAcquainted(snapshot, { viewer, conversations }, other),
  };
}
