import type { MoveSelection, PropagationMode } from '../../../events/message-moves.js';
import { topicKey } from '../../../events/values/message-text.js';
import type { Filter } from '../../../stores/read-store/port.js';
import { channelHistory } from '../access.js';
import type { VisibleMessage } from '../message-decisions.js';
import type { MessageDocument } from '../message-document.js';
import type { MovableMessages } from './moves.decide.js';
import type { NarrowContext, Source } from '../narrow/compiled-narrow.js';
import { channelSources, everything, filterWithin } from '../narrow/sources.js';
import type { QuerySession } from '../query-session.js';
import { isInRange } from '../../../kernel/ids.js';

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

/** A message's id, and the number of the placement by which it came to its channel. */
type Place = Pick<MessageDocument, '_id' | 'arrival'>;

/** The ends of a topic, of those of its messages that the mover can see, and how often a move would move again. */
interface EndsOfTopic {
  readonly first: Place;
  /** Later messages of the topic may come until the move is in the log. */
  readonly last: Place;
  /** Of the message that the request names, or of the first one if it moves too, whichever was moved more often. */
  readonly earlierMoves: number;
}

/** The ends of the topic whose messages a request wants to move. */
export async function endsOfTopic(
  { session, place }: VisibleMessage,
  mode: PropagationMode,
): Promise<EndsOfTopic> {
  const named = { first: place, last: place, earlierMoves: place.moves.length };
  const filter = visibleInTopic(session, place);
  if (filter === null) return named;
  const messages = session.model.collection<MessageDocument>('messages');
  const projection = { arrival: 1, moves: 1 } as const;
  const end = (direction: 1 | -1): Promise<readonly MessageDocument[]> =>
    messages.find(filter, { sort: { _id: direction }, limit: 1, projection });
  const [[first = place], [last = place]] = await Promise.all([end(1), end(-1)]);
  const moved = mode === 'change_all' ? [place, first] : [place];
  return {
    first: first._id < place._id ? first : place,
    last: last._id > place._id ? last : place,
    earlierMoves: Math.max(...moved.map(({ moves }) => moves.length)),
  };
}

/** What the ranges of a move depend on beside the message that the request names. */
interface MoveScope extends Pick<EndsOfTopic, 'first' | 'last'> {
  readonly mode: PropagationMode;
}

/**
 * The id ranges of a channel's messages that a person can see, as far as messages of the topic lie there, or may come
 * until the move is in the log; null: the person can see the whole channel. Somebody who often subscribed and unsubscribed
 * has very many of them. Ranges of messages that stay are among them: they tell that the topic did not move as a whole.
 * Only the move of a single message leaves ranges out: before a move that an edit requested is in the log, messages of any age may come to
 * the topic.
 */
export function visibleRanges(
  context: NarrowContext,
  place: Place & Pick<MessageDocument, 'channelId'>,
  { mode, first, last }: MoveScope,
): MoveSelection['visible'] {
  const channelId = place.channelId ?? 0;
  const channel = context.snapshot.directory.channel(channelId);
  if (channel !== null && channelHistory(context.snapshot, context.user, channel) === 'all') return null;
  const sources = channelSources(context, channelId);
  if (mode === 'change_one') return rangesAround([first, place, last], sources);
  return sources.map(({ after, through, arrivals }) => ({
    after,
    through,
    arrivals: arrivals && [...arrivals],
  }));
}

type VisibleRange = NonNullable<MoveSelection['visible']>[number];

/**
 * The ranges that some messages lie in, and those of what is sent from now on. Each move of a single message stores no
 * more than these, however many messages its topic has. What comes to the topic from another range before the move is in the log does not
 * count: the move may then look as if it took the whole topic along.
 */
function rangesAround(places: readonly Place[], sources: readonly Source[]): VisibleRange[] {
  return sources.flatMap(({ after, through, arrivals }): VisibleRange[] => {
    const inside = places.filter(({ _id }) => isInRange(_id, { after, through }));
    const own = new Set(inside.map(({ arrival }) => arrival));
    if (arrivals === null) return through === null || own.has(0) ? [{ after, through, arrivals }] : [];
    const present = own.size === 0 ? [] : arrivals.filter((number) => own.has(number));
    return present.length === 0 ? [] : [{ after, through, arrivals: present }];
  });
}
