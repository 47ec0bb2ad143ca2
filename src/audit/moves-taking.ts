import { MessageDeleted, messageStream } from '../events/messages.js';
import { moveEvents } from '../events/message-moves.js';
import { isEvent, type RecordedEvent } from '../kernel/event.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { pagesOfStream } from '../stores/event-store/port.js';
import { isReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import { scannedMoves } from './message-timeline.js';
import { MessageTrack, type PlacementBefore } from './message-track.js';
import { sendingOf } from './sent-message.js';

const PAGE = 1_000;

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
  const deletedAt = await deletionOf(log, messageId, onStep);
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

/** Position of the message's deletion; Infinity: it was not deleted. */
async function deletionOf(
  { store }: Pick<EventLog, 'store'>,
  messageId: number,
  onStep: () => void,
): Promise<number> {
  for await (const page of pagesOfStream(store, messageStream(messageId), { pageSize: PAGE })) {
    onStep();
    const deletion = page.find(({ type }) => type === MessageDeleted.type);
    if (deletion !== undefined) return deletion.position;
  }
  return Infinity;
}
