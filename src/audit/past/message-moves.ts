import { channelStream } from '../../contexts/channels/subscriptions.state.js';
import { messagesModel } from '../../contexts/messages/read-model.js';
import type { Placements } from '../../contexts/messages/placements.js';
import { placeOfMove } from '../../contexts/messages/moves/move-documents.js';
import { ApplicationError } from '../../kernel/errors.js';
import { decodeReadable, type LoggedEvent } from '../../stores/event-store/readable-events.js';
import { storedEventsAt } from '../log-index/stored-events-at.js';
import { moveTypes, scannedMoves, type TimelineOptions } from '../message-timeline/message-timeline.js';
import type { PlacementBefore } from '../message-timeline/message-track.js';
import { storedMessage, type StoredMessage } from './conversation/conversation.js';
import type { PastSources } from './past-sources.js';

/** What the read model of messages knows about the moves of one message. */
export interface ModelledMoves {
  readonly message: StoredMessage;
  /** It knows the moves up to this position of the log, at least. */
  readonly through: number;
  /** How the message came to each of its channels, in order; the first is the one that it was sent to. */
  readonly placements: readonly number[];
}

const MOVES_AT_ONCE = 200;

/**
 * Finds the moves of a message. The message's document, or what is left of it after a deletion, names all of them.
 * Only moves that the read model has not processed yet are looked for in the log. When the read model skipped moves or
 * does not have the message, the whole log after its sending is read.
 */
export async function movesOf(
  sources: PastSources,
  messageId: number,
): Promise<Required<Pick<TimelineOptions, 'placementBefore' | 'movesAfter'>>> {
  const modelled = await modelledMoves(sources, messageId);
  return {
    placementBefore: placementsKnownTo(modelled),
    movesAfter: async (position) => {
      const { log, deadline } = sources;
      const onStep = (): void => deadline.throwIfOver();
      if (modelled === null || (await lacksMoves(sources, position)))
        return scannedMoves(log, position, onStep);
      const known = await eventsOf(modelled.message, sources);
      const ids = new Set(known.map(({ id }) => id));
      const later = await scannedMoves(log, Math.max(position, modelled.through), onStep);
      return [...known, ...later.filter(({ id }) => !ids.has(id))];
    },
  };
}

/** Answers how the message came to each of its channels, from the read model. */
export function placementsKnownTo(modelled: ModelledMoves | null): PlacementBefore {
  return (_messageId, { channelChanges }) => Promise.resolve(modelled?.placements[channelChanges] ?? null);
}

/** Whether the read model of messages skipped moves after a position. */
export async function lacksMoves({ discarded }: PastSources, position: number): Promise<boolean> {
  const passedOver = await discarded.of(messagesModel.name);
  return passedOver.some(
    (event) => event.position > position && moveTypes.some((type) => type === event.type),
  );
}

/**
 * Reads what the read model of messages knows about a message's moves; null: it does not have the message, or is
 * unavailable.
 */
export async function modelledMoves(
  { messages }: PastSources,
  messageId: number,
): Promise<ModelledMoves | null> {
  try {
    const model = await messages.model();
    const { position: through } = await model.checkpoint();
    const message = await storedMessage(model, messageId);
    if (message === null || through === null) return null;
    return { message, through, placements: placementsOf(message, await messages.placements()) };
  } catch (error) {
    if (error instanceof ApplicationError && error.row === 'unavailable') return null;
    throw error;
  }
}

function placementsOf({ arrival }: StoredMessage, known: Placements): readonly number[] {
  const placements: number[] = [];
  for (let number = arrival; number !== 0; number = known.get(number)?.previous ?? 0) placements.push(number);
  return [0, ...placements.reverse()];
}

async function eventsOf(
  { moves }: StoredMessage,
  { log, deadline }: PastSources,
): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let from = 0; from < moves.length; from += MOVES_AT_ONCE) {
    deadline.throwIfOver();
    const places = moves.slice(from, from + MOVES_AT_ONCE).map((id) => {
      const { channelId, revision } = placeOfMove(id);
      return { stream: channelStream(channelId), revision };
    });
    events.push(...(await decodeReadable(log, await storedEventsAt(log.store, places))));
  }
  return events;
}
