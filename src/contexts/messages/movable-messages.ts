import type { Filter } from '../../stores/read-store/port.js';
import { channelHistory } from './access.js';
import type { MessageDocument } from './message-document.js';
import type { MoveSelection } from '../../events/message-moves.js';
import type { MovableMessages } from './moves.decide.js';
import type { NarrowContext } from './narrow/compiled-narrow.js';
import { channelSources, everything, filterWithin } from './narrow/sources.js';
import type { QuerySession } from './query-session.js';
import { topicKey } from '../../events/values/message-text.js';

/** The id ranges of a channel's messages that a person can see; null: all of them. */
export function visibleStretches(context: NarrowContext, channelId: number): MoveSelection['visible'] {
  const channel = context.snapshot.directory.channel(channelId);
  if (channel !== null && channelHistory(context.snapshot, context.user, channel) === 'all') return null;
  return channelSources(context, channelId).map(({ after, through, arrivals }) => ({
    after,
    through,
    arrivals: arrivals && [...arrivals],
  }));
}

/** The messages of a topic sent since a time, in seconds since the UNIX epoch, that the reader can see. */
export async function movableMessages(
  { model, context }: Pick<QuerySession, 'model' | 'context'>,
  { channelId, topic }: MessageDocument,
  since: number,
): Promise<MovableMessages> {
  const narrow = {
    sources: channelSources(context, channelId ?? 0),
    conditions: [{ topicKey: topicKey(topic ?? '') }],
  };
  const filter = filterWithin(narrow, everything);
  if (filter === null) return { total: 0, allowed: 0, firstAllowedId: null };
  const messages = model.collection<MessageDocument>('messages');
  const recent: Filter = { $and: [filter, { timestamp: { $gte: since } }] };
  const [total, allowed] = await Promise.all([
    messages.countDocuments(filter),
    messages.countDocuments(recent),
  ]);
  const [first] =
    allowed === total
      ? []
      : await messages.find(recent, { sort: { _id: 1 }, limit: 1, projection: { _id: 1 } });
  return { total, allowed, firstAllowedId: first?._id ?? null };
}
