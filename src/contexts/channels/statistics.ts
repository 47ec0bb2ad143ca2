/** What is known of a channel from its messages. */
export interface ChannelActivity {
  /** Id of the oldest message; null when nothing was ever said. */
  readonly firstMessageId: number | null;
  /** Average messages a week, rounded; null when the channel is too new to say. */
  readonly weeklyTraffic: number | null;
  /** For clients that hide channels in which nothing happens any more. */
  readonly isRecentlyActive: boolean;
}

/** What the messages say of channels; implemented by the messages context. */
export abstract class ChannelStatistics {
  /** By channel, for all of them at once; a channel without an entry has {@link noActivity}. */
  abstract forChannels(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>>;

  /** Whether nothing that still exists stands outside the channel's empty topic. */
  abstract hasOnlyEmptyTopic(channelId: number): Promise<boolean>;
}

/** A channel in which nothing was said yet. */
export const noActivity: ChannelActivity = {
  firstMessageId: null,
  weeklyTraffic: null,
  isRecentlyActive: true,
};
