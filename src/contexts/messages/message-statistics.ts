import { ChannelStatistics, type ChannelActivity } from '../channels/statistics.js';
import { toSeconds } from '../../kernel/clock.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { ChannelActivityDocument, TopicDocument } from './conversation-documents.js';
import { MessageReader } from './message-reader.js';

const secondsPerDay = 86_400;

/** Traffic is the average over this many days. */
const daysCounted = 28;

/** Channels younger than this have no traffic figure. */
const daysUntilTraffic = 7;

/** A channel without messages for this long counts as inactive. */
const daysUntilInactive = 180;

/** Statistics about the messages of channels. */
@Injectable()
export class MessageStatistics extends ChannelStatistics {
  constructor(
    private readonly messages: MessageReader,
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
    const now = toSeconds(this.clock.now());
    return new Map(documents.map((document) => [document._id, activityOf(document, now)]));
  }

  override async hasOnlyEmptyTopic(channelId: number): Promise<boolean> {
    const model = await this.messages.model();
    const filter = { channelId, topicKey: { $ne: '' } };
    return (await model.collection<TopicDocument>('topics').find(filter, { limit: 1 })).length === 0;
  }
}

function activityOf(document: ChannelActivityDocument, now: number): ChannelActivity {
  const today = Math.floor(now / secondsPerDay);
  return {
    firstMessageId: document.firstMessageId,
    weeklyTraffic: weeklyTraffic(document, today),
    isRecentlyActive: now - document.lastMessageAt < daysUntilInactive * secondsPerDay,
  };
}

function weeklyTraffic({ perDay, firstMessageAt }: ChannelActivityDocument, today: number): number | null {
  const age = today - Math.floor(firstMessageAt / secondsPerDay);
  if (age < daysUntilTraffic) return null;
  const days = Math.min(age, daysCounted);
  const counted = Object.entries(perDay).filter(([day]) => Number(day) > today - days);
  const perWeek = (counted.reduce((sum, [, messages]) => sum + messages, 0) * 7) / days;
  return roundedTraffic(perWeek);
}

/** Rounded to two significant digits, because it is an estimate. */
function roundedTraffic(perWeek: number): number {
  return perWeek <= 0 ? 0 : Math.max(1, Number(perWeek.toPrecision(2)));
}
