import { streamsOf } from '../../kernel/stream.js';
import type { Fold } from '../../kernel/decider.js';
import { channelStream } from '../channels/subscriptions.state.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { moveEvents } from '../../events/message-moves.js';

/** What the next move in a channel has to know of those before it. */
export interface ChannelMoves {
  /** Position of the last one; null when there was none. Whoever decides about another must have seen its outcome. */
  readonly lastPosition: number | null;
  /** Ids of the events whose second half was done here. */
  readonly completed: PersistentMap<string, true>;
}

const moveTypes: ReadonlySet<string> = new Set(moveEvents.map(({ type }) => type));

/** How the moves of one channel evolve, among everything else that its stream holds. */
export const channelMovesFold: Fold<ChannelMoves, RecordedEvent> = {
  snapshot: { name: 'channel-moves', version: 1 },
  initial: { lastPosition: null, completed: PersistentMap.empty() },
  evolve: (state, { type, position, metadata: { causationId } }) => {
    if (!moveTypes.has(type)) return state;
    return {
      lastPosition: position,
      completed: causationId === null ? state.completed : state.completed.set(causationId, true),
    };
  },
};

/** The moves of one channel, for decisions about the next one. */
export const channelMovesOf = streamsOf(channelStream, channelMovesFold);
