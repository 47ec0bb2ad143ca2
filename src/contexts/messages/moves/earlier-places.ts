import type { MessageDocument } from '../message-document.js';
import { placeOfMove } from './move-documents.js';
import type { Placements } from '../placements.js';

/** The fields of a message's document that its earlier channels follow from. */
export type PlaceWithMoves = Pick<MessageDocument, 'channelId' | 'arrival' | 'moves'>;

/**
 * A message in the channel where it was after the given number of its moves; its topic stays as it is. The read model may
 * already include later moves than the event that a client is notified of.
 *
 * @param placements must include the placement that the message has now
 */
export function inChannelAfter<Message extends PlaceWithMoves>(
  message: Message,
  moveCount: number,
  placements: Placements,
): Message {
  const { moves } = message;
  if (moves.length <= moveCount) return message;
  let { channelId, arrival } = message;
  for (let later = moves.length - 1; later >= moveCount; later -= 1) {
    const left = placeOfMove(moves[later]!).channelId;
    if (left !== channelId) arrival = placements.get(arrival)?.previous ?? 0;
    channelId = left;
  }
  return { ...message, channelId, arrival };
}
