import type { IQueryHandler } from '@nestjs/cqrs';
import { hasReceived } from '../../../access/records/subscription.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { channelHistory } from '../access.js';
import type { TopicDocument } from '../conversation-documents.js';
import { MessageReader } from '../message-reader.js';
import type { QuerySession } from '../query-session.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../kernel/api-constants.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';

/** A topic in a list of topics. */
interface ListedTopic {
  readonly name: string;
  readonly max_id: number;
}

/** Lists the topics of a channel, the latest first (`GET /users/me/{stream_id}/topics`). */
export class GetTopics extends Query<readonly ListedTopic[]> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
    readonly allowEmptyTopicName: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetTopics)
export class GetTopicsHandler implements IQueryHandler<GetTopics> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, channelId, allowEmptyTopicName }: GetTopics): Promise<readonly ListedTopic[]> {
    const session = await this.messages.open(caller);
    const { snapshot, user } = session.context;
    const channel = snapshot.directory.channel(channelId);
    const history = channel === null ? 'none' : channelHistory(snapshot, user, channel);
    if (history === 'none') throw failure('invalidChannel');
    const topics =
      history === 'all' ? await this.allTopics(channelId) : await this.topicsReceived(session, channelId);
    return topics.map(({ name, lastMessageId }) => ({
      name: name === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : name,
      max_id: lastMessageId,
    }));
  }

  private async allTopics(channelId: number): Promise<readonly TopicDocument[]> {
    const model = await this.messages.model();
    return model.collection<TopicDocument>('topics').find({ channelId }, { sort: { lastMessageId: -1 } });
  }

  /**
   * For a topic that went on while the person was unsubscribed, the last message is the last one that they
   * received.
   */
  private async topicsReceived(session: QuerySession, channelId: number): Promise<readonly TopicDocument[]> {
    const { snapshot, user, placements } = session.context;
    const subscription = snapshot.directory.subscription(channelId, user.id);
    const holdsMoved = placements.to(channelId).length > 0;
    const received: TopicDocument[] = [];
    for (const topic of await this.allTopics(channelId)) {
      if (!holdsMoved && hasReceived(subscription, topic.lastMessageId)) received.push(topic);
      else if (holdsMoved || topic.lastMessageId > (subscription?.periods[0]?.after ?? Infinity)) {
        const latest = await session.latestPersonalIn(topic);
        if (latest !== null) received.push({ ...topic, name: latest.topic ?? '', lastMessageId: latest._id });
      }
    }
    return received.sort((a, b) => b.lastMessageId - a.lastMessageId);
  }
}
