import type { FlagsOwner } from '../flags/personal-flags.js';

/** Who reads, and in which form they asked for messages (specification, GET /messages). */
export interface Reader extends FlagsOwner {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Leave avatars that follow from the address for the client to compute. */
  readonly clientGravatar: boolean;
  /** Give the empty topic as it is rather than by its display name. */
  readonly allowEmptyTopicName: boolean;
}
