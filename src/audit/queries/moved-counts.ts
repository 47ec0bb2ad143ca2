import type { MessageReader } from '../../contexts/messages/message-reader.js';
import { moveDocumentId, type MoveDocument } from '../../contexts/messages/moves/move-documents.js';
import { messagesModel } from '../../contexts/messages/read-model.js';
import { moveEvents, type MoveEvent } from '../../events/message-moves.js';
import { ApplicationError } from '../../kernel/errors.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { isReadable, type LoggedEvent } from '../../stores/event-store/readable-events.js';
import { ReadStoreUnavailableError } from '../../stores/read-store/port.js';
import type { DiscardedEvents } from '../log-index/audit-index.js';
import type { MovedCount } from '../sentences/sentence-of.js';

/** What the numbers are read from: the read model of messages, and the events that it skipped. */
export interface MovedCountSources {
  readonly messages: Pick<MessageReader, 'model'>;
  readonly discarded: Pick<DiscardedEvents, 'of'>;
}

/** Keys per query. */
const KEYS_AT_ONCE = 400;

/**
 * Adds to each move how many messages it took along. The event does not say it: which messages a move takes along follows from its place in
 * the log (`docs/adr/0012-moves-are-selections.md`). The number is absent where the read model of messages does not know the move, skipped it, or cannot be read.
 */
export async function withMovedCounts<Event extends LoggedEvent>(
  events: readonly Event[],
  sources: MovedCountSources,
): Promise<readonly (Event & MovedCount)[]> {
  const counts = await movedCounts(events.filter(isMove), sources);
  return events.map((event) => {
    const count = counts.get(event.position);
    return count === undefined ? event : { ...event, moved_messages: count };
  });
}

function isMove<Event extends LoggedEvent>(event: Event): event is Event & RecordedEvent<MoveEvent> {
  return isReadable(event) && isEvent(event, ...moveEvents);
}

/** The counts that the read model knows, by the position of the event: 0 for a move that found no message left to move. */
async function movedCounts(
  moves: readonly RecordedEvent<MoveEvent>[],
  sources: MovedCountSources,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  if (moves.length === 0) return counts;
  try {
    const model = await sources.messages.model();
    // Read before the documents: these include every move up to it.
    const { position: known } = await model.checkpoint();
    const documents = model.collection<MoveDocument>('moves');
    for (let from = 0; from < moves.length; from += KEYS_AT_ONCE) {
      const looked = moves.slice(from, from + KEYS_AT_ONCE);
      const keys = looked.map(moveDocumentId);
      const found = await documents.find({ _id: { $in: keys } }, { projection: { position: 1, moved: 1 } });
      for (const { position, moved } of found) counts.set(position, moved.count);
    }
    const passed = moves.filter(({ position }) => known !== null && position <= known);
    for (const position of await movedNothing(passed, { counts, ...sources })) counts.set(position, 0);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  return counts;
}

/** The positions of the moves that moved nothing: these have no document, but neither have moves that the model skipped. */
async function movedNothing(
  moves: readonly RecordedEvent<MoveEvent>[],
  { counts, discarded }: MovedCountSources & { readonly counts: ReadonlyMap<number, number> },
): Promise<readonly number[]> {
  const positions = moves.map(({ position }) => position).filter((position) => !counts.has(position));
  if (positions.length === 0) return [];
  const skipped = new Set((await discarded.of(messagesModel.name)).map(({ position }) => position));
  return positions.filter((position) => !skipped.has(position));
}

/** Whether there is no model to read, or its store does not answer: the events themselves need neither. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof ReadStoreUnavailableError) return true;
  return error instanceof ApplicationError && error.row === 'unavailable';
}
