import type { Direction, PositionRange } from './common-entries.js';

/** Moves by which a message came elsewhere. */
export interface FoundMoves {
  /** Positions of their events, in the direction in which they were asked for. */
  readonly positions: readonly number[];
  /** Whether there are no more between the positions that were asked for. */
  readonly isAll: boolean;
}

/** What took a message along: each of these events is about many messages, and names one of them at most. */
export interface MovedMessage {
  /**
   * Between two positions, both included.
   *
   * @param limit at most so many
   */
  movesWithin(
    range: PositionRange,
    extent: { readonly direction: Direction; readonly limit: number },
  ): Promise<FoundMoves>;
}
