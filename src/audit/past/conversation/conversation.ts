import type { Filter, ModelStore } from '../../../stores/read-store/port.js';
import type {
  DeletionDocument,
  MessageDocument,
  MessagePlace,
} from '../../../contexts/messages/message-document.js';
import type { Placements } from '../../../contexts/messages/placements.js';
import type { MoveDocument } from '../../../contexts/messages/moves/move-documents.js';
import { topicKey } from '../../../events/values/message-text.js';

/** A channel, one of its topics, or a direct conversation. Plain JSON. */
export type Conversation =
  | {
      readonly type: 'channel';
      readonly channelId: number;
      /** The topic in the form in which topics are compared; null: all topics. */
      readonly topicKey: string | null;
    }
  | {
      readonly type: 'direct';
      /** See `conversationKey`. */
      readonly key: string;
      /** All members, ascending. */
      readonly userIds: readonly number[];
    };

/** A present message, or what is left of a deleted one. */
export type StoredMessage = MessagePlace & {
  /** Null: it was deleted. */
  readonly present: MessageDocument | null;
  /** Position of its deletion; null: it was not deleted. */
  readonly deletedAt: number | null;
};

/** Where a message was at some position. */
export interface Placement {
  /** Null for direct messages. */
  readonly channelId: number | null;
  readonly topicKey: string | null;
  /** As it was written; null: the topic with which the message was sent, or a direct message. */
  readonly topic: string | null;
  /** See {@link MessageDocument}. */
  readonly arrival: number;
  readonly conversation: string | null;
  /** How many moves had happened to it by then. */
  readonly moves: number;
}

/** The moves by key, and the ways in which messages came to channels. */
export interface MoveRecords {
  readonly moves: ReadonlyMap<string, MoveDocument>;
  readonly placements: Placements;
}

/** Reads a message by id, also a deleted one; null: the read model of messages does not have it. */
export async function storedMessage(model: ModelStore, messageId: number): Promise<StoredMessage | null> {
  const message = await model.collection<MessageDocument>('messages').findOne({ _id: messageId });
  if (message !== null) return ofMessage(message);
  const deletion = await model.collection<DeletionDocument>('deletions').findOne({ _id: messageId });
  return deletion === null ? null : ofDeletion(deletion);
}

export function ofMessage(message: MessageDocument): StoredMessage {
  return { ...placeFieldsOf(message), present: message, deletedAt: null };
}

export function ofDeletion(deletion: DeletionDocument): StoredMessage {
  return { ...placeFieldsOf(deletion), present: null, deletedAt: deletion.position };
}

type PlaceFields = Omit<StoredMessage, 'present' | 'deletedAt'>;

function placeFieldsOf(document: PlaceFields): PlaceFields {
  const { _id, senderId, channelId, arrival, topic, topicKey: key, moves } = document;
  const { conversation, participantIds, givenToIds } = document;
  const place = { channelId, arrival, topic, topicKey: key, conversation, participantIds, givenToIds };
  return { _id, senderId, moves, ...place };
}

/**
 * Determines where a message was at a position: starts from its present or last place, and undoes the later moves one
 * by one.
 *
 * @param position not before the message was sent; for an earlier one the result is where it was sent
 */
export function placementAt(
  message: StoredMessage,
  position: number,
  { moves, placements }: MoveRecords,
): Placement {
  let { channelId, arrival, topicKey: key } = message;
  let topic: string | null = message.topic;
  let count = message.moves.length;
  for (; count > 0; count -= 1) {
    const move = moves.get(message.moves[count - 1]!);
    if (move === undefined || move.position <= position) break;
    if (move.newChannelId !== move.channelId) arrival = placements.get(arrival)?.previous ?? 0;
    channelId = move.channelId;
    key = topicKey(move.topic);
    const before = count > 1 ? moves.get(message.moves[count - 2]!) : undefined;
    topic = before?.newTopic ?? null;
  }
  return { channelId, topicKey: key, topic, arrival, conversation: message.conversation, moves: count };
}

/** Whether a message at a place belongs to the conversation. */
export function isIn(
  place: Pick<Placement, 'channelId' | 'topicKey' | 'conversation'>,
  conversation: Conversation,
): boolean {
  if (conversation.type === 'direct') return place.conversation === conversation.key;
  return (
    place.channelId === conversation.channelId &&
    (conversation.topicKey === null || place.topicKey === conversation.topicKey)
  );
}

/** Selects the messages that are in the conversation now; an index serves this filter. */
export function presentFilter(conversation: Conversation): Filter {
  if (conversation.type === 'direct') return { conversation: conversation.key };
  const { channelId, topicKey: key } = conversation;
  return key === null ? { channelId } : { channelId, topicKey: key };
}
