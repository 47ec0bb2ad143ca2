import { streamsOf } from '../../../kernel/decision.js';
import type { Fold } from '../../../kernel/fold.js';
import { channelStream } from '../../channels/subscriptions.state.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import { moveEvents } from '../../../events/message-moves.js';

/** What a decision about the next move in a channel needs to know about the moves before it. */
export interface ChannelMoves {
  /**
   * Log position of the last move; null when there was none. The read model must have passed it before
   * another move is decided.
   */
  readonly lastPosition: number | null;
  /** Ids of the edits whose moves were already appended here. */
  readonly completed: PersistentMap<string, true>;
}

const moveTypes: ReadonlySet<string> = new Set(moveEvents.map(({ type }) => type));

/** Folds the moves out of everything that the stream of a channel holds. */
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

/** The stream of a channel, folded into its moves, for decisions about the next one. */
export const channelMovesOf = streamsOf(channelStream, channelMovesFold);
