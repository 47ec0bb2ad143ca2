import type { Window } from './sources.js';

/**
 * A way to the messages of a narrow: ids within a window, from one of its ends, at most so many, all those of its messages among them.
 * Fewer mean that there are no more.
 */
export type Way = (window: Window, order: 1 | -1, limit: number) => Promise<readonly number[]>;
