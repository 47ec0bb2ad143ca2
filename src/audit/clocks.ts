/** By how much the clocks of nodes that write to one log may differ, in milliseconds: in truth it is much less. */
export const CLOCKS_AGREE_WITHIN = 3_600_000;
