import type { Knows } from '../../users/known-people.js';
import type { FlagsOwner } from '../flags/flags.state.js';

/** In which form messages are to be given (specification, GET /messages). */
export interface MessageFormat {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Leave avatars that follow from the address for the client to compute. */
  readonly clientGravatar: boolean;
  /** Give the empty topic as it is rather than by its display name. */
  readonly allowEmptyTopicName: boolean;
}

/** Who reads, and in which form. */
export interface Reader extends FlagsOwner, MessageFormat {
  /** Whom they may know. */
  readonly knows: Knows;
}
