import type { Knows } from '../../users/known-people.js';
import type { FlagsOwner } from '../flags/flags.state.js';

/** The requested form of messages (`GET /messages`). */
export interface MessageFormat {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Omit avatar URLs that the client can compute from the e-mail address. */
  readonly clientGravatar: boolean;
  /** Give the empty topic as empty text rather than by its display name. */
  readonly allowEmptyTopicName: boolean;
}

/** The reader, and the form in which they get messages. */
export interface Reader extends FlagsOwner, MessageFormat {
  /** Whom the reader may know. */
  readonly knows: Knows;
}
