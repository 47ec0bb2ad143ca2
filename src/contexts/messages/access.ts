import type { Channel } from '../../access/records/channel.js';
import { hasContentAccess } from '../../access/channel-permissions.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { User } from '../../access/records/user.js';
import type { Placements } from './placements.js';
import { isGiven } from './flags/flags.state.js';
import type { MessageDocument } from './message-document.js';

/** How much of a channel's messages a person may read: all of them, those that they received, or none. */
type ChannelHistory = 'all' | 'received' | 'none';

/** How much of a channel's messages a person may read now (`GET /messages`). */
export function channelHistory(snapshot: Snapshot, user: User, channel: Channel): ChannelHistory {
  if (!hasContentAccess(snapshot, user, channel)) return 'none';
  return channel.privacy.historyPublicToSubscribers ? 'all' : 'received';
}

/** The fields of a message's document that access to it depends on. */
export type MessagePlace = Pick<
  MessageDocument,
  '_id' | 'channelId' | 'arrival' | 'participantIds' | 'givenToIds'
>;

/** The person who looks at messages, and the snapshot that their access is judged by. */
export interface Viewer {
  readonly snapshot: Snapshot;
  readonly user: User;
  readonly placements: Placements;
}

/**
 * How a person sees a message: as one that they received, as part of a history that they may read, or not at
 * all. Reading, editing and deleting all use this answer.
 */
export function messageAccess(
  { snapshot, user, placements }: Viewer,
  place: MessagePlace,
): 'received' | 'historical' | 'none' {
  if (place.channelId === null) return place.participantIds?.includes(user.id) === true ? 'received' : 'none';
  const channel = snapshot.directory.channel(place.channelId);
  if (channel === null) return 'none';
  if (isGiven(place, user.id)) return 'received';
  const history = channelHistory(snapshot, user, channel);
  if (history === 'none') return 'none';
  const message = { id: place._id, channelId: channel.id, arrival: place.arrival };
  if (placements.messageVisibility(message, { directory: snapshot.directory, user }) !== 'none')
    return 'received';
  return history === 'all' ? 'historical' : 'none';
}
