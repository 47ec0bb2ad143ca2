import { topicKey } from '../../../events/values/message-text.js';
import { budgets } from '../../../kernel/budgets.js';
import { topicLinksIn } from '../../../markdown/inline/channel-link.js';
import { channelHistory } from '../access.js';
import { topicDocumentId, type TopicDocument } from '../conversation-documents.js';
import type { QuerySession } from '../query-session.js';

/**
 * Ids of the newest message that the writer can see of each topic that a text links to, by the topic's {@link
 * topicDocumentId}; for the first `budgets.linkedTopics` topics.
 */
export async function newestInLinkedTopics(
  text: string,
  session: QuerySession,
): Promise<ReadonlyMap<string, number>> {
  const { snapshot, user } = session.context;
  const whole = new Set<string>();
  const received = new Map<string, Pick<TopicDocument, 'channelId' | 'topicKey'>>();
  for (const { channelName, topic } of topicLinksIn(text)) {
    if (whole.size + received.size >= budgets.linkedTopics.max) break;
    const channel = snapshot.directory.channelByName(channelName);
    if (channel === null) continue;
    const key = topicKey(topic);
    const id = topicDocumentId(channel.id, key);
    const history = channelHistory(snapshot, user, channel);
    if (history === 'all') whole.add(id);
    if (history === 'received') received.set(id, { channelId: channel.id, topicKey: key });
  }
  const newest = new Map<string, number>();
  for (const { _id, lastMessageId } of await session.topics([...whole])) newest.set(_id, lastMessageId);
  for (const [id, topic] of received) {
    const latest = await session.latestPersonalIn(topic);
    if (latest !== null) newest.set(id, latest._id);
  }
  return newest;
}
