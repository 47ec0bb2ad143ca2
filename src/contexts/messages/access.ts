import type { Channel } from '../../access/records/channel.js';
import { hasContentAccess } from '../../access/channel-permissions.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { User } from '../../access/records/user.js';
import type { Arrivals } from './arrivals.js';
import { isGiven } from './flags/flags.state.js';
import type { MessageDocument } from './message-document.js';

/** What of a channel's messages a person may read: all of them, those that they received, or none. */
export type ChannelHistory = 'all' | 'received' | 'none';

/** What a person may read of a channel (specification, GET /messages; facts, section 2). */
export function channelHistory(snapshot: Snapshot, user: User, channel: Channel): ChannelHistory {
  if (!hasContentAccess(snapshot, user, channel)) return 'none';
  return channel.privacy.historyPublicToSubscribers ? 'all' : 'received';
}

/** Where a message lies: all that access to it depends on. */
export type MessagePlace = Pick<
  MessageDocument,
  '_id' | 'channelId' | 'arrival' | 'participantIds' | 'givenToIds'
>;

/** Who looks at messages, and when. */
export interface Viewer {
  readonly snapshot: Snapshot;
  readonly user: User;
  readonly arrivals: Arrivals;
}

/**
 * How a person sees a message: because they received it, as part of a history that they may read, or not at all. The
 * same answer for reading, editing and deleting.
 */
export function messageAccess(
  { snapshot, user, arrivals }: Viewer,
  place: MessagePlace,
): 'received' | 'historical' | 'none' {
  if (place.channelId === null) return place.participantIds?.includes(user.id) === true ? 'received' : 'none';
  const channel = snapshot.directory.channel(place.channelId);
  if (channel === null) return 'none';
  if (isGiven(place, user.id)) return 'received';
  const history = channelHistory(snapshot, user, channel);
  if (history === 'none') return 'none';
  const message = { id: place._id, channelId: channel.id, arrival: place.arrival };
  if (arrivals.receipt(message, { directory: snapshot.directory, user }) !== 'none') return 'received';
  return history === 'all' ? 'historical' : 'none';
}
