import { hidesPeople, isAcquainted, isShownEveryone, shareChannel } from '../../../access/acquaintances.js';
import type { DirectConversations } from '../../../access/direct-conversations.js';
import type { Directory } from '../../../access/directory.js';
import { includes } from '../../../access/membership.js';
import type { Moment } from '../../../access/moment.js';
import { isGuest } from '../../../access/records/roles.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { User } from '../../../access/records/user.js';
import { ChannelCreated, UsersSubscribed, UsersUnsubscribed } from '../../../events/channels.js';
import { MessageSent } from '../../../events/messages.js';
import { OrganizationPermissionsChanged } from '../../../events/organization.js';
import { UserDeactivated, UserReactivated, UserRoleChanged } from '../../../events/users.js';
import type { Recorded, RecordedEvent } from '../../../kernel/event.js';
import type { Listeners } from '../../../realtime/mapper.js';

/** Whom an event may bring together, or part. */
export interface Meeting {
  /** Whether a person may know others by it, or know others no longer. */
  concerns(viewer: User): boolean;
  /** Ids of those others, for one whom it {@link concerns}: who is known before and after may be among them. */
  others(viewer: User): Iterable<number>;
  /** Whether the person could know one of the others before it. */
  knew(viewer: User, other: User): boolean;
}

/** An event once it took effect. */
export interface MeetingContext<Before = unknown> {
  readonly moment: Moment;
  readonly before: Before;
  /** Of the people whom {@link MeetingRow.asked} named, as of before the event. */
  readonly conversations: DirectConversations;
}

/** How an event changes who may know whom. */
export interface MeetingRow<Event = RecordedEvent> {
  /** Takes note of what the event is about to change. */
  before?(event: Event, moment: Moment): unknown;
  /** Ids of those whose conversations must be known: of each two who meet or part, one of them. */
  asked(event: Event, moment: Moment, listeners: Listeners): readonly number[];
  /** Null: it changes nothing. */
  meeting(event: Event, context: MeetingContext): Meeting | null;
}

function row<Event, Before = undefined>(steps: {
  readonly before?: (event: Event, moment: Moment) => Before;
  readonly asked: (event: Event, moment: Moment, listeners: Listeners) => readonly number[];
  readonly meeting: (event: Event, context: MeetingContext<Before>) => Meeting | null;
}): MeetingRow<Event> {
  return steps;
}

/** By the type of the event. */
export const meetingRows: Readonly<Record<string, MeetingRow>> = {
  [ChannelCreated.type]: row<Recorded<typeof ChannelCreated>>({
    asked: ({ data: { subscriberIds } }, moment, listeners) =>
      listeningGuests(subscriberIds, moment, listeners),
    meeting: ({ data: { channelId, subscriberIds } }, context) => joining(channelId, subscriberIds, context),
  }),
  [UsersSubscribed.type]: row({
    before: (event: Recorded<typeof UsersSubscribed>, moment) => subscribedAmong(event, moment),
    asked: guestsAround,
    meeting: ({ data: { channelId, userIds } }, context) => {
      const joined = userIds.filter((id) => !context.before.has(id));
      return joining(channelId, joined, context);
    },
  }),
  [UsersUnsubscribed.type]: row({
    before: (event: Recorded<typeof UsersUnsubscribed>, moment) => subscribedAmong(event, moment),
    asked: guestsAround,
    meeting: ({ data: { channelId } }, context) => leaving(channelId, context.before, context),
  }),
  [UserDeactivated.type]: row<Recorded<typeof UserDeactivated>>({
    asked: ({ data: { userId } }) => [userId],
    meeting: ({ data: { userId } }, { moment, conversations }) => ({
      concerns: (viewer) => !isShownEveryone(moment, viewer),
      others: () => [userId],
      knew: (viewer, other) =>
        shareChannel(moment.directory, [viewer.id, other.id]) || conversations.had(viewer.id, other.id),
    }),
  }),
  [UserReactivated.type]: row<Recorded<typeof UserReactivated>>({
    asked: ({ data: { userId } }) => [userId],
    meeting: ({ data: { userId } }, { moment, conversations }) => ({
      concerns: (viewer) => !isShownEveryone(moment, viewer),
      others: () => [userId],
      knew: (viewer, { id, bot }) => bot !== null || conversations.had(viewer.id, id),
    }),
  }),
  [UserRoleChanged.type]: row({
    before: ({ data: { userId } }: Recorded<typeof UserRoleChanged>, moment) => {
      const user = moment.directory.user(userId);
      return user !== null && isShownEveryone(moment, user);
    },
    asked: ({ data: { userId } }) => [userId],
    meeting: ({ data: { userId } }, context) => {
      const { moment, before } = context;
      const knewEveryone = (viewer: User): boolean =>
        viewer.id === userId ? before : isShownEveryone(moment, viewer);
      return widening(context, knewEveryone);
    },
  }),
  [OrganizationPermissionsChanged.type]: row({
    before: (_event: Recorded<typeof OrganizationPermissionsChanged>, { directory }) =>
      directory.organization?.permissions.can_access_all_users_group ?? null,
    asked: ({ data }, moment, listeners) =>
      data.permissions.can_access_all_users_group === undefined
        ? []
        : listeningGuests(idsOf(moment.directory), moment, listeners),
    meeting: ({ data }, context) => {
      const { before: setting, moment } = context;
      if (data.permissions.can_access_all_users_group === undefined || setting === null) return null;
      return widening(context, (viewer) => includes(moment, setting, viewer));
    },
  }),
  [MessageSent.type]: row<Recorded<typeof MessageSent>>({
    asked: ({ data: { recipient } }, moment, listeners) =>
      recipient.type === 'direct' ? listeningGuests(recipient.userIds, moment, listeners) : [],
    meeting: ({ data: { recipient } }, { moment, conversations }) => {
      if (recipient.type !== 'direct' || !hidesPeople(moment)) return null;
      const { userIds } = recipient;
      return {
        concerns: (viewer) => userIds.includes(viewer.id) && !isShownEveryone(moment, viewer),
        others: () => userIds,
        knew: (viewer, other) => isAcquainted(moment, { viewer, conversations }, other),
      };
    },
  }),
};

interface OfChannel {
  readonly data: { readonly channelId: number; readonly userIds: readonly number[] };
}

function subscribedAmong(
  { data: { channelId, userIds } }: OfChannel,
  { directory }: Moment,
): ReadonlySet<number> {
  return new Set(userIds.filter((id) => isSubscribed(directory.subscription(channelId, id))));
}

/** Only they are told of others as if these began and ended, and only where a client of theirs is here. */
function listeningGuests(
  userIds: Iterable<number>,
  { directory }: Moment,
  listeners: Listeners,
): readonly number[] {
  return [...new Set(userIds)].filter((id) => {
    const user = directory.user(id);
    return user !== null && isGuest(user) && listeners.isListening(id);
  });
}

function guestsAround(
  { data: { channelId, userIds } }: OfChannel,
  moment: Moment,
  listeners: Listeners,
): readonly number[] {
  const subscriberIds = moment.directory.subscriberIds(channelId);
  return listeningGuests([...userIds, ...subscriberIds], moment, listeners);
}

function* idsOf(directory: Directory): Iterable<number> {
  for (const { id } of directory.users()) yield id;
}

/** Who comes to a channel meets everyone in it. */
function joining(
  channelId: number,
  joined: readonly number[],
  { moment, conversations }: MeetingContext,
): Meeting | null {
  if (!hidesPeople(moment) || joined.length === 0) return null;
  const { directory } = moment;
  const came = new Set(joined);
  const subscriberIds = directory.subscriberIds(channelId);
  return {
    concerns: (viewer) =>
      isSubscribed(directory.subscription(channelId, viewer.id)) && !isShownEveryone(moment, viewer),
    others: ({ id }) => (came.has(id) ? subscriberIds : came),
    knew: (viewer, { id, bot }) =>
      id === viewer.id ||
      bot !== null ||
      shareChannel(directory, [viewer.id, id], channelId) ||
      conversations.had(viewer.id, id),
  };
}

/** Who leaves a channel parts from everyone in it, and those who leave together from each other. */
function leaving(
  channelId: number,
  left: ReadonlySet<number>,
  { moment, conversations }: MeetingContext,
): Meeting | null {
  if (!hidesPeople(moment) || left.size === 0) return null;
  const { directory } = moment;
  const around = [...left, ...directory.subscriberIds(channelId)];
  const wasThere = ({ id }: User): boolean =>
    left.has(id) || isSubscribed(directory.subscription(channelId, id));
  return {
    concerns: (viewer) => wasThere(viewer) && !isShownEveryone(moment, viewer),
    others: ({ id }) => (left.has(id) ? around : left),
    knew: (viewer, other) => other.isActive || isAcquainted(moment, { viewer, conversations }, other),
  };
}

/** Some may know everyone who could not before, or the other way round. */
function widening(
  { moment, conversations }: MeetingContext,
  knewEveryone: (viewer: User) => boolean,
): Meeting {
  return {
    concerns: (viewer) => knewEveryone(viewer) !== isShownEveryone(moment, viewer),
    others: () => idsOf(moment.directory),
    knew: (viewer, other) => knewEveryone(viewer) || isAcquainted(moment, { viewer, conversations }, other),
  };
}
