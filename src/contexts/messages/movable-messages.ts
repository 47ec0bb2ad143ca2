import type { MoveSelection, PropagationMode } from '../../events/message-moves.js';
import { topicKey } from '../../events/values/message-text.js';
import type { Filter } from '../../stores/read-store/port.js';
import { channelHistory } from './access.js';
import type { VisibleMessage } from './message-decisions.js';
import type { MessageDocument } from './message-document.js';
import type { MovableMessages } from './moves.decide.js';
import type { NarrowContext, Source } from './narrow/compiled-narrow.js';
import { channelSources, everything, filterWithin } from './narrow/sources.js';
import type { QuerySession } from './query-session.js';

/** A filter for the messages of a topic that the reader can see; null: there is none. */
function visibleInTopic(
  { context }: Pick<QuerySession, 'context'>,
  { channelId, topic }: Pick<MessageDocument, 'channelId' | 'topic'>,
): Filter | null {
  const narrow = {
    sources: channelSources(context, channelId ?? 0),
    conditions: [{ topicKey: topicKey(topic ?? '') }],
  };
  return filterWithin(narrow, everything);
}

/** The messages of a topic sent since a time, in seconds since the UNIX epoch, that the reader can see. */
export async function countMovable(
  session: Pick<QuerySession, 'model' | 'context'>,
  place: MessageDocument,
  since: number,
): Promise<MovableMessages> {
  const filter = visibleInTopic(session, place);
  if (filter === null) return { total: 0, allowed: 0, firstAllowedId: null };
  const messages = session.model.collection<MessageDocument>('messages');
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

/** The first and the last of the messages that a request wants to move, and how often they were moved before. */
interface EndsOfMove {
  readonly firstId: number;
  /** Later messages of the topic may come until the move is in the log. */
  readonly lastId: number;
  /** Of the first message, or of the one that the request names, whichever was moved more often. */
  readonly earlierMoves: number;
}

/** The ends of the messages that a request wants to move, of those that the mover can see. */
export async function endsOfMove(
  { session, place }: VisibleMessage,
  mode: PropagationMode,
): Promise<EndsOfMove> {
  const named = { firstId: place._id, lastId: place._id, earlierMoves: place.moves.length };
  const filter = mode === 'change_one' ? null : visibleInTopic(session, place);
  if (filter === null) return named;
  const messages = session.model.collection<MessageDocument>('messages');
  const end = (direction: 1 | -1): Promise<readonly MessageDocument[]> =>
    messages.find(filter, { sort: { _id: direction }, limit: 1, projection: { moves: 1 } });
  const [[first], [last]] = await Promise.all([mode === 'change_all' ? end(1) : [], end(-1)]);
  return {
    firstId: Math.min(place._id, first?._id ?? place._id),
    lastId: Math.max(place._id, last?._id ?? place._id),
    earlierMoves: Math.max(named.earlierMoves, first?.moves.length ?? 0),
  };
}

/**
 * The id ranges of a channel's messages that a person can see, as far as messages to be moved can lie there; null: the
 * person can see the whole channel. Somebody who often subscribed and unsubscribed has very many of them. A range without
 * an end also holds the messages of the topic that come until the move is in the log.
 */
export function visibleRanges(
  context: NarrowContext,
  { _id, channelId, arrival }: Pick<MessageDocument, '_id' | 'channelId' | 'arrival'>,
  { firstId, lastId }: Pick<EndsOfMove, 'firstId' | 'lastId'>,
): MoveSelection['visible'] {
  const channel = context.snapshot.directory.channel(channelId ?? 0);
  if (channel !== null && channelHistory(context.snapshot, context.user, channel) === 'all') return null;
  const sources = channelSources(context, channelId ?? 0);
  // No other message comes to a move of one message.
  const isOne = firstId === _id && lastId === _id;
  const arrivalsOf = ({ arrivals }: Source): number[] | null =>
    arrivals && arrivals.filter((number) => !isOne || number === arrival);
  return sources
    .filter((source) => reachesInto(source, { firstId, lastId }) || (!isOne && source.through === null))
    .map((source) => ({
      after: Math.max(source.after, firstId - 1),
      through: source.through,
      arrivals: arrivalsOf(source),
    }))
    .filter(({ arrivals }) => (arrivals === null ? !isOne || arrival === 0 : arrivals.length > 0));
}

function reachesInto(
  { after, through }: Source,
  { firstId, lastId }: Pick<EndsOfMove, 'firstId' | 'lastId'>,
): boolean {
  return after < lastId && (through === null || through >= firstId);
}
