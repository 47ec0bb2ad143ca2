/** Statistics of a channel's messages. */
export interface ChannelActivity {
  /** Id of the oldest message; null when there never was one. */
  readonly firstMessageId: number | null;
  /** Average number of messages a week, rounded; null when the channel is too new. */
  readonly weeklyTraffic: number | null;
  /** Used by clients that hide inactive channels. */
  readonly isRecentlyActive: boolean;
}

/** Statistics of the messages of channels; implemented by the messages context. */
export abstract class ChannelStatistics {
  /** The statistics of all these channels, by channel; one without an entry has {@link noActivity}. */
  abstract forChannels(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>>;

  /** Whether every existing message of the channel is in its empty topic. */
  abstract hasOnlyEmptyTopic(channelId: number): Promise<boolean>;
}

/** For a channel without messages. */
export const noActivity: ChannelActivity = {
  firstMessageId: null,
  weeklyTraffic: null,
  isRecentlyActive: true,
};
