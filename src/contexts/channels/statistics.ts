/** Statistics of a channel's messages. */
export interface ChannelActivity {
  /** Id of the oldest message; null when there never was one. */
  readonly firstMessageId: number | null;
  /** Average number of messages a week, rounded; null until a week after the channel's creation. */
  readonly weeklyTraffic: number | null;
  /** Used by clients that hide inactive channels. */
  readonly isRecentlyActive: boolean;
}

/** Statistics of the messages of channels; implemented by the messages context. */
export abstract class ChannelStatistics {
  /** The statistics of all these channels, by channel; one that is not known yet has {@link noActivity}. */
  abstract forChannels(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>>;

  /** Whether every existing message of the channel is in its empty topic. */
  abstract hasOnlyEmptyTopic(channelId: number): Promise<boolean>;
}

/** For a new channel. */
export const noActivity: ChannelActivity = {
  firstMessageId: null,
  weeklyTraffic: null,
  isRecentlyActive: true,
};
