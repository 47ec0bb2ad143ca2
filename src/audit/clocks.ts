/**
 * Maximum difference, in milliseconds, between the clocks of nodes that write to one log; real differences are much
 * smaller.
 */
export const CLOCKS_AGREE_WITHIN = 3_600_000;
