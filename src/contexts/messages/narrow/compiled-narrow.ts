import type { Attention } from '../../attention/attention.state.js';
import type { Filter } from '../../../stores/read-store/port.js';
import type { User } from '../../../access/records/user.js';
import type { IdRanges } from '../flags/id-ranges.js';
import type { TextQuery } from '../text-search/text-query.js';
import type { MessageDocument } from '../message-document.js';
import type { Knows } from '../../users/known-people.js';
import type { FlaggedMessage, FlagsOwner } from '../flags/flags.state.js';

/** A stretch of messages that one index serves in order: the ids after `after`, up to `through`, where `filter` holds. */
export interface Source {
  readonly filter: Filter;
  /** The channels in which it lies; null: it is not in certain channels, or none. */
  readonly channelIds: readonly number[] | null;
  readonly after: number;
  /** Null: to the end. */
  readonly through: number | null;
  /** Numbers of the arrivals by which its messages came to their channel; null: they were sent there, or however they came. */
  readonly arrivals: readonly number[] | null;
}

/**
 * What holds of every message that meets a condition, such that one index has the messages of a channel, or the person's direct ones, of
 * which it holds, in the order of their ids.
 */
export interface Lead {
  readonly inChannels: Filter;
  /** Says as well that they are direct messages. */
  readonly inDirect: Filter;
  /** Whether the index tells the person's own direct messages from those of others. */
  readonly isOwn: boolean;
}

/** What of a message is asked for when a narrow cannot be answered from an index alone. */
export type FoundMessage = FlaggedMessage & Pick<MessageDocument, 'topicKey'>;

/** What a narrow asks for: where to look, and what must hold of a message there. */
export interface CompiledNarrow {
  /** Stretches of the log of messages that the person may read; empty: nothing matches. */
  readonly sources: readonly Source[];
  /** All of these hold of a message that matches. */
  readonly conditions: readonly Filter[];
  /** Those of the conditions by which an index leads to the messages. */
  readonly leads: readonly Lead[];
  /** Only here, if not null: any number of stretches. */
  readonly within: IdRanges | null;
  /** Only these messages, if not null, which the person marked or named one by one. */
  readonly listed: IdRanges | null;
  /** What no index tells: asked of each message that was found. */
  readonly tests: readonly ((message: FoundMessage) => boolean)[];
  /** What is searched for in texts, and what must not be found in them. */
  readonly texts: NarrowTexts;
}

/** What a narrow wants of texts. */
export interface NarrowTexts {
  /** Null: nothing. */
  readonly sought: TextQuery | null;
  readonly unwanted: readonly TextQuery[];
}

/** Of a narrow that looks at no text. */
export const noTexts: NarrowTexts = { sought: null, unwanted: [] };

/** Whether a narrow looks into texts. */
export function looksIntoTexts({ texts }: Pick<CompiledNarrow, 'texts'>): boolean {
  return texts.sought !== null || texts.unwanted.length > 0;
}

/** Who asks, and what the narrow's names are looked up in. */
export interface NarrowContext extends FlagsOwner {
  readonly attention: Attention;
  /** Whom they may know. */
  readonly knows: Knows;
  /** Turns an address into an account. */
  readonly userByEmail: (email: string) => User | null;
  /** Keys of the conversations of the people that a narrow names, where that is known. */
  readonly conversations?: readonly string[];
}
