import type { Attention } from '../../attention/attention.js';
import type { Filter } from '../../read-store/port.js';
import type { User } from '../../users/user.js';
import type { IdRanges } from '../flags/id-ranges.js';
import type { FlaggedMessage, FlagsOwner } from '../flags/personal-flags.js';

/** A stretch of messages that one index serves in order: the ids after `after`, up to `through`, where `filter` holds. */
export interface Source {
  readonly filter: Filter;
  readonly after: number;
  /** Null: to the end. */
  readonly through: number | null;
  /** Numbers of the arrivals by which its messages came to their channel; null: they were sent there, or however they came. */
  readonly arrivals: readonly number[] | null;
}

/** What of a message is asked for when a narrow cannot be answered from an index alone. */
export type FoundMessage = FlaggedMessage;

/** What a narrow asks for: where to look, and what must hold of a message there. */
export interface CompiledNarrow {
  /** Stretches of the log of messages that the person may read; empty: nothing matches. */
  readonly sources: readonly Source[];
  /** All of these hold of a message that matches. */
  readonly conditions: readonly Filter[];
  /** Only here, if not null: any number of stretches. */
  readonly within: IdRanges | null;
  /** What no index tells: asked of each message that was found. */
  readonly tests: readonly ((message: FoundMessage) => boolean)[];
}

/** Who asks, and what the narrow's names are looked up in. */
export interface NarrowContext extends FlagsOwner {
  readonly attention: Attention;
  /** Turns an address into an account. */
  readonly userByEmail: (email: string) => User | null;
}
