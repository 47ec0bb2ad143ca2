import type { ActivePeople } from './active-people.js';
import type { ChannelListing } from './channel-listing.js';
import type { ChannelActivity } from './statistics.js';

/** The read models behind the client events of channels. */
export interface ChannelModels {
  /** Activity of channels, by their ids. */
  activities(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>>;
}

/** The read models behind the initial state of channels. */
export interface ChannelStateModels {
  readonly listing: ChannelListing;
  /** The people whom a partial list of subscribers includes. */
  readonly activePeople: Pick<ActivePeople, 'ids'>;
}
