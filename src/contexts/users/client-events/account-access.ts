import { listsDirectly } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import {
  channelsKnownTo,
  gainedEvents,
  lostEvents,
  type ChannelView,
} from '../../channels/client-events/channel-access.js';
import { groupEvent } from './user-groups.js';

export interface OfUser {
  readonly data: { readonly userId: number };
}

/** The access of an account that does not exist. */
export const noAccess = { groupIds: [], channelIds: new Set<number>() };

interface AccountAccess {
  readonly groupIds: readonly number[];
  /** Ids of the channels that the account may know of. */
  readonly channelIds: ReadonlySet<number>;
}

/** The groups and channels of an account that depend on its role and on whether it is active. */
export function accessOf({ data: { userId } }: OfUser, snapshot: Snapshot): AccountAccess {
  const user = snapshot.directory.user(userId);
  if (user === null) return noAccess;
  const groups = [...snapshot.directory.groups()].filter((group) => listsDirectly(snapshot, group, user));
  const channelIds = channelsKnownTo(snapshot, [user]).get(userId) ?? new Set<number>();
  return { groupIds: groups.map(({ id }) => id), channelIds };
}

/**
 * Client events about an account that joined or left groups whose members depend on its role, or on whether it is
 * active.
 */
export function groupEvents(
  event: OfUser,
  before: AccountAccess,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  const { userId } = event.data;
  const { groupIds } = accessOf(event, snapshot);
  const entered = groupIds.filter((id) => !before.groupIds.includes(id));
  const left = before.groupIds.filter((id) => !groupIds.includes(id));
  return [
    ...left.map((id) => groupEvent(snapshot, id, { op: 'remove_members', user_ids: [userId] })),
    ...entered.map((id) => groupEvent(snapshot, id, { op: 'add_members', user_ids: [userId] })),
  ];
}

/**
 * Client events for an account whose role or activity changed, about the channels that it may know of from now on, and
 * those that it may not.
 */
export function channelAccessEvents(
  event: OfUser,
  before: AccountAccess,
  view: ChannelView,
): readonly AddressedEvent[] {
  const { snapshot } = view;
  const { userId } = event.data;
  const { channelIds } = accessOf(event, snapshot);
  const gained = [...channelIds].filter((id) => !before.channelIds.has(id));
  const lost = [...before.channelIds].filter((id) => !channelIds.has(id));
  const channelsOf = (ids: readonly number[]) => ids.flatMap((id) => snapshot.directory.channel(id) ?? []);
  return [
    ...gainedEvents(channelsOf(gained), [userId], view),
    ...lostEvents(channelsOf(lost), [userId], snapshot),
  ];
}
