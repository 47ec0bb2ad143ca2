import { topicKey } from '../../../events/values/message-text.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import type { Collection, FindOptions, ModelStore } from '../../../stores/read-store/port.js';
import { inChannelAfter, type PlaceWithMoves } from './earlier-places.js';
import type { FlaggedMessage } from '../flags/flags.state.js';
import type { MessagePlace } from '../access.js';
import type { DeletionDocument, MessageDocument } from '../message-document.js';
import type { MoveDocument } from './move-documents.js';
import type { Placements } from '../placements.js';

/** What the client events of a moved message depend on: its place right after the move, and its flags. */
export type MovedMessage = FlaggedMessage &
  Pick<MessageDocument, 'participantIds' | 'mentions' | 'alertedIds'>;

/** A move and its messages, in rising order. */
export interface MovedMessages {
  readonly move: MoveDocument;
  /** Without those that were deleted since. */
  readonly messages: readonly MovedMessage[];
  /** Where the move brought those that were deleted since; none where the messages stayed in their channel. */
  readonly deleted: readonly MessagePlace[];
}

/** A read model of messages, and the placements that it includes. */
interface Model {
  readonly model: ModelStore;
  readonly placements: () => Promise<Placements>;
}

const fields = {
  channelId: 1,
  arrival: 1,
  givenToIds: 1,
  participantIds: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
  mentions: 1,
  alertedIds: 1,
  moves: 1,
} as const satisfies { readonly [Field in keyof MovedMessage | 'moves' as Exclude<Field, '_id'>]: 1 };

const placeFields = { channelId: 1, arrival: 1, givenToIds: 1, participantIds: 1, moves: 1 } as const;

/** Maximum number of messages of a topic that are read at once: a topic may have very many. */
const MESSAGES_AT_ONCE = 500;

/** How many moves are looked up at once. */
const MOVES_AT_ONCE = 500;

/** The messages of a move where it brought them, wherever they have gone since. */
export async function readMovedMessages(
  { model, placements }: Model,
  move: MoveDocument,
): Promise<MovedMessages> {
  const scope = { move, placements };
  const messages = await readMoved(model.collection<MessageDocument>('messages'), {
    ...scope,
    projection: fields,
  });
  if (move.channelId === move.newChannelId) return { move, messages, deleted: [] };
  const deletions = model.collection<DeletionDocument>('deletions');
  const deleted = await readMoved(deletions, { ...scope, projection: placeFields });
  // One that was deleted between the two reads is in both.
  const present = new Set(messages.map(({ _id }) => _id));
  return { move, messages, deleted: deleted.filter(({ _id }) => !present.has(_id)) };
}

/** What a move's messages are read with. */
interface MovedScope extends Pick<Model, 'placements'> {
  readonly move: MoveDocument;
  readonly projection: NonNullable<FindOptions['projection']>;
}

/** Reads documents of a move's messages in slices; the event loop runs in between. */
async function readMoved<Document extends PlaceWithMoves & Pick<MessageDocument, '_id'>>(
  collection: Collection<Document>,
  { move, placements, projection }: MovedScope,
): Promise<Omit<Document, 'moves'>[]> {
  const messages: Omit<Document, 'moves'>[] = [];
  const slice = new TimeSlice();
  for (let after = 0, isLast = false; !isLast;) {
    const options = { sort: { _id: 1 }, limit: MESSAGES_AT_ONCE, projection } as const;
    const found = await collection.find({ moves: move._id, _id: { $gt: after } }, options);
    const known = await placements();
    for (const message of found) {
      const { moves: _moves, ...moved } = inChannelAfter(message, message.moves.indexOf(move._id) + 1, known);
      messages.push(moved);
    }
    isLast = found.length < MESSAGES_AT_ONCE;
    after = found.at(-1)?._id ?? after;
    if (slice.isOver) await slice.next();
  }
  return messages;
}

/** A message with its place and its moves. */
type PlacedWithMoves = PlaceWithMoves & Pick<MessageDocument, 'topic' | 'topicKey'>;

/** Messages where they lay at a position of the log, in the order in which they are given. */
export async function messagesPlacedAt<Message extends PlacedWithMoves>(
  { model, placements }: Model,
  messages: readonly Message[],
  position: number,
): Promise<readonly Message[]> {
  const later = (ids: readonly string[]): Promise<ReadonlyMap<string, MoveDocument>> =>
    movesAfter(model, ids, position);
  // Hardly any message was moved after the position: only their last moves are looked up first.
  const last = await later(messages.flatMap(({ moves }) => moves.at(-1) ?? []));
  if (last.size === 0) return messages;
  const isMoved = ({ moves }: PlacedWithMoves): boolean => last.has(moves.at(-1) ?? '');
  const moves = await later(messages.filter(isMoved).flatMap((message) => message.moves));
  const known = await placements();
  return messages.map((message) => {
    if (!isMoved(message)) return message;
    const count = message.moves.findIndex((id) => moves.has(id));
    const { topic } = moves.get(message.moves[count]!)!;
    return { ...inChannelAfter(message, count, known), topic, topicKey: topicKey(topic) };
  });
}

/** Those of some moves that happened after a position of the log, by their ids. */
async function movesAfter(
  model: ModelStore,
  moves: readonly string[],
  position: number,
): Promise<ReadonlyMap<string, MoveDocument>> {
  const ids = [...new Set(moves)];
  const found = new Map<string, MoveDocument>();
  for (let from = 0; from < ids.length; from += MOVES_AT_ONCE) {
    const filter = { _id: { $in: ids.slice(from, from + MOVES_AT_ONCE) }, position: { $gt: position } };
    for (const move of await model.collection<MoveDocument>('moves').find(filter)) found.set(move._id, move);
  }
  return found;
}
