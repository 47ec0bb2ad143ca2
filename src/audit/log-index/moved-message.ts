import type { Direction, PositionRange } from './common-entries.js';

/** Moves that included a message. */
export interface FoundMoves {
  /** Positions of their events, in the direction of the request. */
  readonly positions: readonly number[];
  /** Whether there are no more in the requested range. */
  readonly isAll: boolean;
}

/**
 * Finds the moves that included a message. Each of their events concerns many messages and names one of them at most.
 */
export interface MovedMessage {
  /** Finds moves between two positions, both included. @param limit maximum number */
  movesWithin(
    range: PositionRange,
    extent: { readonly direction: Direction; readonly limit: number },
  ): Promise<FoundMoves>;
}
