import type { ActivePeople } from './active-people.js';
import type { ChannelListing } from './channel-listing.js';
import type { ChannelActivity } from './statistics.js';

/** What client events of channels are made from, beside the events. */
export interface ChannelModels {
  /** How busy channels are, by their ids. */
  activities(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>>;
}

/** What the initial state of channels is made from. */
export interface ChannelStateModels {
  readonly listing: ChannelListing;
  /** Whom a partial list of subscribers holds. */
  readonly activePeople: Pick<ActivePeople, 'ids'>;
}
