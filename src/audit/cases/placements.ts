import { MessagesMoved, moveEvents, type MoveEvent, type MoveSelection } from '../../events/message-moves.js';
import type { Recipient } from '../../events/messages.js';
import { topicKey } from '../../events/values/message-text.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { LogNotes } from './log-notes.js';

/** A message as it was sent, and when that was. */
export interface SentPlace {
  readonly messageId: number;
  readonly recipient: Recipient;
  readonly position: number;
}

/** A place where a message lay. */
export interface Placement {
  readonly place: Recipient;
  /** The event that moved it there, as it is stored; null: it was sent there. */
  readonly move: PersistedEvent | null;
}

interface Move {
  readonly position: number;
  readonly selection: MoveSelection;
  readonly place: Recipient;
  readonly event: PersistedEvent;
}

/**
 * Where messages have lain, from the log alone: no read model holds a message that was deleted. Where only the read models know
 * whether a move took a message along (somebody moved what they saw of a channel whose history is protected), it counts as taken.
 */
export class Placements {
  private readonly moves: LogNotes<Move>;
  /** Moves by the place that they take messages from, of the notes so far. */
  private index = new Map<string, Move[]>();
  private indexed: readonly Move[] = [];

  constructor(log: EventLog) {
    this.moves = new LogNotes({
      store: log.store,
      types: moveEvents.map(({ type }) => type),
      read: async (events) => {
        const decoded = await log.decode(events);
        return events.map((event, index) => moveOf(event, decoded[index] as RecordedEvent<MoveEvent>));
      },
    });
  }

  /** Takes note of all moves up to a position, for {@link of}. */
  async load(position: number): Promise<void> {
    const moves = await this.moves.through(position);
    if (moves.length === this.indexed.length) return;
    this.indexed = moves;
    this.index = new Map();
    for (const move of moves) {
      const key = keyOf(move.selection);
      const known = this.index.get(key);
      if (known === undefined) this.index.set(key, [move]);
      else known.push(move);
    }
  }

  /**
   * Every place that a message has lain in, first the one that it was sent to, and last the one where it lies.
   *
   * @param through no later move counts
   */
  of({ messageId, recipient, position }: SentPlace, through: number): readonly Placement[] {
    const placements: Placement[] = [{ place: recipient, move: null }];
    let here = recipient;
    let after = position;
    while (here.type === 'channel') {
      const move: Move | undefined = this.index
        .get(keyOf(here))
        ?.find((one) => one.position > after && one.position <= through && takes(one.selection, messageId));
      if (move === undefined) break;
      here = move.place;
      after = move.position;
      placements.push({ place: here, move: move.event });
    }
    return placements;
  }
}

function moveOf(event: PersistedEvent, decoded: RecordedEvent<MoveEvent>): Move {
  const { selection, newTopic: topic } = decoded.data;
  const moved = isEvent(decoded, MessagesMoved) ? decoded.data.newChannel?.channelId : undefined;
  const channelId = moved ?? selection.channelId;
  return { position: event.position, selection, place: { type: 'channel', channelId, topic }, event };
}

function keyOf({ channelId, topic }: { readonly channelId: number; readonly topic: string }): string {
  return `${channelId} ${topicKey(topic)}`;
}

function takes({ bounds, visible }: MoveSelection, messageId: number): boolean {
  const isWithin = ({ after, through }: MoveSelection['bounds']): boolean =>
    messageId > after && (through === null || messageId <= through);
  return isWithin(bounds) && (visible === null || visible.some(isWithin));
}
