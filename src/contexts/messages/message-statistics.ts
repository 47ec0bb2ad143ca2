import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Channel } from '../../access/records/channel.js';
import { ChannelStatistics, noActivity, type ChannelActivity } from '../channels/statistics.js';
import { toSeconds } from '../../kernel/clock.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { LastMessage } from '../users/queries/users.js';
import { isActiveAt, type ChannelActivityDocument, type TopicDocument } from './conversation-documents.js';
import { MessageReader } from './message-reader.js';

const SECONDS_PER_DAY = 86_400;

/** Traffic is the average over this many days. */
const DAYS_COUNTED = 28;

/** Channels younger than this have no traffic figure. */
const DAYS_UNTIL_TRAFFIC = 7;

/** Statistics about the messages of channels. */
@Injectable()
export class MessageStatistics extends ChannelStatistics {
  constructor(
    private readonly messages: MessageReader,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {
    super();
  }

  override async forChannels(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>> {
    if (channelIds.length === 0) return new Map();
    const model = await this.messages.model();
    const documents = await model
      .collection<ChannelActivityDocument>('channel_activity')
      .find({ _id: { $in: channelIds } });
    const found = new Map(documents.map((document) => [document._id, document]));
    const now = toSeconds(this.clock.now());
    const directory = this.follower.current();
    const channels = channelIds.map((id) => directory.channel(id)).filter((channel) => channel !== null);
    return new Map(channels.map((channel) => [channel.id, activityOf(channel, found.get(channel.id), now)]));
  }

  override async hasOnlyEmptyTopic(channelId: number): Promise<boolean> {
    const model = await this.messages.model();
    const filter = { channelId, topicKey: { $ne: '' } };
    return (await model.collection<TopicDocument>('topics').find(filter, { limit: 1 })).length === 0;
  }
}

/** @param now seconds since the UNIX epoch */
function activityOf(
  { createdAt }: Channel,
  document: ChannelActivityDocument | undefined,
  now: number,
): ChannelActivity {
  const today = Math.floor(now / SECONDS_PER_DAY);
  const age = today - Math.floor(toSeconds(createdAt) / SECONDS_PER_DAY);
  const traffic = weeklyTraffic(document?.perDay ?? {}, age, today);
  if (document === undefined) return { ...noActivity, weeklyTraffic: traffic };
  return {
    firstMessageId: document.firstMessageId,
    weeklyTraffic: traffic,
    isRecentlyActive: isActiveAt(document, now),
  };
}

/** Counts over the last four weeks, or for a channel that was created later over its age; all in days. */
function weeklyTraffic(perDay: ChannelActivityDocument['perDay'], age: number, today: number): number | null {
  if (age < DAYS_UNTIL_TRAFFIC) return null;
  const days = Math.min(age, DAYS_COUNTED);
  const counted = Object.entries(perDay).filter(([day]) => Number(day) > today - days);
  const perWeek = (counted.reduce((sum, [, messages]) => sum + messages, 0) * 7) / days;
  return roundedTraffic(perWeek);
}

/** Rounded to two significant digits, because it is an estimate. */
function roundedTraffic(perWeek: number): number {
  return perWeek <= 0 ? 0 : Math.max(1, Number(perWeek.toPrecision(2)));
}

/** Finds the last message that reached a person, whether or not the person may still read it. */
@Injectable()
export class LastReceivedMessage extends LastMessage {
  constructor(private readonly messages: MessageReader) {
    super();
  }

  override async lastReceivedMessageId(userId: number): Promise<number> {
    const session = await this.messages.open({ userId });
    return (await session.latestEver())?._id ?? -1;
  }
}
