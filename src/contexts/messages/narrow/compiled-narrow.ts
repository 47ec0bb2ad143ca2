import type { Attention } from '../../attention/attention.state.js';
import type { Filter } from '../../../stores/read-store/port.js';
import type { User } from '../../../access/records/user.js';
import type { IdRanges } from '../flags/id-ranges.js';
import type { TextQuery } from '../text-search/text-query.js';
import type { MessageDocument } from '../message-document.js';
import type { Knows } from '../../../access/known-people.js';
import type { FlaggedMessage, FlagsOwner } from '../flags/flags.state.js';

/**
 * A set of messages that one index serves in order: the ids after `after`, up to `through`, that match
 * `filter`.
 */
export interface Source {
  readonly filter: Filter;
  /** Ids of the channels that its messages lie in; null: direct messages, or any channel. */
  readonly channelIds: readonly number[] | null;
  readonly after: number;
  /** Null: no upper limit. */
  readonly through: number | null;
  /** Numbers of the placements of its messages; null: any placement, or none. */
  readonly arrivals: readonly number[] | null;
}

/**
 * A condition that one index serves: it gives the messages of a channel, or the person's direct messages,
 * that match, in the order of their ids.
 */
export interface IndexedCondition {
  readonly inChannels: Filter;
  /** Also says that they are direct messages. */
  readonly inDirect: Filter;
  /** Whether the index holds only the person's own direct messages, rather than everybody's. */
  readonly isOwn: boolean;
}

/** The fields of a message that are read where a narrow cannot be answered from an index alone. */
export type FoundMessage = FlaggedMessage & Pick<MessageDocument, 'topicKey'>;

/** A compiled narrow: which messages are searched, and which conditions they must meet. */
export interface CompiledNarrow {
  /** The sets of messages that the person may read; empty: nothing matches. */
  readonly sources: readonly Source[];
  /** All of these hold for a message that matches. */
  readonly conditions: readonly Filter[];
  /** Those of the conditions that have an index of their own. */
  readonly indexed: readonly IndexedCondition[];
  /** If not null, only ids in these ranges match; there may be any number of ranges. */
  readonly within: IdRanges | null;
  /** If not null, only these messages match: the person marked or named each of them. */
  readonly listed: IdRanges | null;
  /** Conditions that no index serves: checked for each message that was found. */
  readonly tests: readonly ((message: FoundMessage) => boolean)[];
  /** What texts must contain, and must not contain. */
  readonly texts: NarrowTexts;
}

/** The conditions of a narrow on texts. */
export interface NarrowTexts {
  /** Null: nothing. */
  readonly sought: TextQuery | null;
  readonly unwanted: readonly TextQuery[];
}

/** For a narrow without conditions on texts. */
export const noTexts: NarrowTexts = { sought: null, unwanted: [] };

/** Whether a narrow has conditions on texts. */
export function looksIntoTexts({ texts }: Pick<CompiledNarrow, 'texts'>): boolean {
  return texts.sought !== null || texts.unwanted.length > 0;
}

/** The person who asks, and what the operands of a narrow are looked up in. */
export interface NarrowContext extends FlagsOwner {
  readonly attention: Attention;
  /** Whom the person may know. */
  readonly knows: Knows;
  /** Finds an account by its e-mail address. */
  readonly userByEmail: (email: string) => User | null;
  /** Keys of the conversations of the people that a narrow names; absent: not looked up. */
  readonly conversations?: readonly string[];
}
