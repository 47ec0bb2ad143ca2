import { moveEvents } from '../../events/message-moves.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { isReadable, type UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { scannedMoves } from './message-timeline.js';
import { MessageTrack, type PlacementBefore } from './message-track.js';
import { deletionOf, sendingOf } from './sent-message.js';

/**
 * Finds the positions of the moves that included a message, ascending, from the log alone: reads all moves after the
 * message was sent. Moves that cannot be read are left out.
 *
 * @param onStep called for each page; an error thrown by it ends the search
 */
export async function movesTaking(
  log: EventLog,
  messageId: number,
  {
    placementBefore,
    onStep = () => {},
  }: { readonly placementBefore: PlacementBefore; readonly onStep?: () => void },
): Promise<readonly number[]> {
  const sending = await sendingOf(log, messageId);
  if (sending === null || sending.data.recipient.type === 'direct') return [];
  const track = new MessageTrack(messageId, placementBefore);
  track.lies(sending.data.recipient);
  const deletedAt = (await deletionOf(log.store, messageId, onStep)) ?? Infinity;
  const moves = await scannedMoves(log, sending.position, onStep);
  return positionsTaking(
    track,
    moves.filter(({ position }) => position <= deletedAt),
  );
}

/** Positions of the moves that included the message, of those that follow in the log. */
export async function positionsTaking(
  track: MessageTrack,
  moves: readonly (RecordedEvent | UnreadableEvent)[],
): Promise<readonly number[]> {
  const taking: number[] = [];
  for (const event of moves) {
    if (!isReadable(event) || !isEvent(event, ...moveEvents)) continue;
    if ((await track.moved(event)) !== null) taking.push(event.position);
  }
  return taking;
}
