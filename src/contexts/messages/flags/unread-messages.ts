import type { Attention } from '../../attention/attention.state.js';
import { visibilityPolicies } from '../../../events/attention.js';
import type { Directory } from '../../../access/directory.js';
import { isMentioned, isNamed } from '../mentions.js';
import { topicDocumentId } from '../conversation-documents.js';
import type { UnreadMessage } from '../query-session.js';

/** The person whose unread messages they are, and how topics are shown. */
interface UnreadReader {
  readonly userId: number;
  readonly directory: Directory;
  readonly attention: Attention;
  readonly shownTopic: (topic: string) => string;
  readonly isShownChannel: (channelId: number) => boolean;
}

/** How many of the newest unread messages clients get. */
export const MAX_UNREAD = 50_000;

/**
 * Unread messages by conversation (member `unread_msgs`). In muted topics and channels only mentions by name
 * count as mentions.
 */
export function unreadObject(newestFirst: readonly UnreadMessage[], reader: UnreadReader): object {
  const groups = { pms: new Groups(), streams: new Groups(), huddles: new Groups() };
  const mentions: number[] = [];
  const isMuted = mutedTopics(reader);
  let count = 0;
  for (const message of newestFirst.slice(0, MAX_UNREAD).toReversed()) {
    if (message.channelId !== null && !reader.isShownChannel(message.channelId)) continue;
    const place = placeOf(message, reader);
    groups[place.list].add(place, message._id);
    const isVisible = message.channelId === null || !isMuted(message.channelId, message.topicKey ?? '');
    const isMeant = isVisible ? isMentioned : isNamed;
    if (isMeant(message.mentions, reader.userId)) mentions.push(message._id);
    if (isVisible) count += 1;
  }
  return {
    count,
    pms: groups.pms.objects(),
    streams: groups.streams.objects(),
    huddles: groups.huddles.objects(),
    mentions,
    old_unreads_missing: newestFirst.length > MAX_UNREAD,
  };
}

interface Place {
  readonly list: 'pms' | 'streams' | 'huddles';
  readonly key: string;
  readonly members: object;
}

function placeOf(message: UnreadMessage, { userId, shownTopic }: UnreadReader): Place {
  const { channelId, topic, topicKey, participantIds } = message;
  if (channelId !== null) {
    const members = { stream_id: channelId, topic: shownTopic(topic ?? '') };
    return { list: 'streams', key: topicDocumentId(channelId, topicKey ?? ''), members };
  }
  const participants = participantIds ?? [];
  const key = participants.join(',');
  if (participants.length > 2) return { list: 'huddles', key, members: { user_ids_string: key } };
  const other = participants.find((id) => id !== userId) ?? userId;
  // Older clients read the other person's id from `sender_id`.
  return { list: 'pms', key, members: { other_user_id: other, sender_id: other } };
}

/** Messages by conversation; topics are spelled as in their latest message. */
class Groups {
  private readonly byKey = new Map<string, { members: object; readonly ids: number[] }>();

  add({ key, members }: Place, id: number): void {
    const group = this.byKey.get(key);
    if (group === undefined) this.byKey.set(key, { members, ids: [id] });
    else {
      group.members = members;
      group.ids.push(id);
    }
  }

  objects(): readonly object[] {
    return [...this.byKey.values()].map(({ members, ids }) => ({ ...members, unread_message_ids: ids }));
  }
}

/** Whether a topic does not count: the person muted it, or muted its channel and did not unmute the topic. */
function mutedTopics({
  userId,
  directory,
  attention,
}: UnreadReader): (channelId: number, topicKey: string) => boolean {
  const policies = new Map(
    attention.topics.map(({ channelId, topicKey, policy }) => [topicDocumentId(channelId, topicKey), policy]),
  );
  return (channelId, topicKey) => {
    const policy = policies.get(topicDocumentId(channelId, topicKey)) ?? visibilityPolicies.none;
    if (policy !== visibilityPolicies.none) return policy === visibilityPolicies.muted;
    return directory.subscription(channelId, userId)?.isMuted === true;
  };
}
