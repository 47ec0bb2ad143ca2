import {
  moveEvents,
  targetChannelOf,
  type MoveEvent,
  type MoveSelection,
} from '../../events/message-moves.js';
import type { Recipient } from '../../events/messages.js';
import { topicKey } from '../../events/values/message-text.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { LogNotes } from './log-notes.js';
import { isInRange } from '../../kernel/ids.js';

/** Where and when a message was sent. */
interface SentPlace {
  readonly messageId: number;
  readonly recipient: Recipient;
  readonly position: number;
}

/** A place that a message was in. */
export interface MessageLocation {
  readonly place: Recipient;
  /** The stored event that moved it there; null: it was sent there. */
  readonly move: PersistedEvent | null;
}

interface Move {
  readonly position: number;
  readonly selection: MoveSelection;
  readonly place: Recipient;
  readonly event: PersistedEvent;
}

/**
 * Finds the places that messages were in, from the log alone, because no read model has deleted messages. When only a
 * read model knows whether a move included a message (somebody moved what they could see of a channel with protected
 * history), the message counts as moved.
 */
export class MessageLocations {
  private readonly moves: LogNotes<Move>;
  /** The moves noted so far, by the place that they take messages from. */
  private index = new Map<string, Move[]>();
  /** Number of moves in the index. */
  private indexed = 0;

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

  /** Reads all moves up to a position, for {@link of}. Concurrent callers share the index, so it only grows. */
  async load(position: number): Promise<void> {
    const moves = await this.moves.through(position);
    if (moves.length <= this.indexed) return;
    this.indexed = moves.length;
    this.index = new Map();
    for (const move of moves) {
      const key = keyOf(move.selection);
      const known = this.index.get(key);
      if (known === undefined) this.index.set(key, [move]);
      else known.push(move);
    }
  }

  /**
   * Every place that a message was in: first the one that it was sent to, last its present one.
   *
   * @param through later moves are ignored
   */
  of({ messageId, recipient, position }: SentPlace, through: number): readonly MessageLocation[] {
    const locations: MessageLocation[] = [{ place: recipient, move: null }];
    let here = recipient;
    let after = position;
    while (here.type === 'channel') {
      const move: Move | undefined = this.index
        .get(keyOf(here))
        ?.find((one) => one.position > after && one.position <= through && takes(one.selection, messageId));
      if (move === undefined) break;
      here = move.place;
      after = move.position;
      locations.push({ place: here, move: move.event });
    }
    return locations;
  }
}

function moveOf(event: PersistedEvent, decoded: RecordedEvent<MoveEvent>): Move {
  const { selection, newTopic: topic } = decoded.data;
  const channelId = targetChannelOf(decoded);
  return { position: event.position, selection, place: { type: 'channel', channelId, topic }, event };
}

function keyOf({ channelId, topic }: { readonly channelId: number; readonly topic: string }): string {
  return `${channelId} ${topicKey(topic)}`;
}

function takes({ bounds, visible }: MoveSelection, messageId: number): boolean {
  if (!isInRange(messageId, bounds)) return false;
  return visible === null || visible.some((range) => isInRange(messageId, range));
}
