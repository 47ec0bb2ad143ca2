import type { CaseScope } from '../../../events/cases.js';

/** Which messages are looked at. */
interface Covered {
  readonly scope: CaseScope;
  /** Null: whatever a message says. */
  readonly words: string | null;
}

/** Counts what a case covers. */
export interface SizeInput extends Covered {
  readonly kind: 'size';
}

/** Looks for words in what a case covers: in every version of every message, also of those that were deleted. */
export interface SearchInput extends Covered {
  readonly kind: 'search';
  /** What is looked for, as in a case's words. */
  readonly query: string;
  /** Only messages sent after this one; 0: all. */
  readonly after: number;
}

/** Makes a bundle of what a case covers, for whoever does not have the log. */
export interface ExportInput extends Covered {
  readonly kind: 'export';
  /** What the bundle says of the case. */
  readonly about: BundledCase;
  /** Where the bundle is to be: a path; null until the task has one. */
  readonly file: string | null;
}

/** A case as a bundle tells it; times are ISO 8601. */
export interface BundledCase {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly scope: {
    readonly userIds: readonly number[];
    readonly channelIds: readonly number[];
    readonly since: string | null;
    readonly until: string | null;
  };
  readonly words: string | null;
  /** When the legal hold was placed that stands on it; null: none stands. */
  readonly heldSince: string | null;
}

/** What is to be done about a case, off the thread that answers requests: plain JSON. */
export type CaseTaskInput = SizeInput | SearchInput | ExportInput;
export type CaseTaskKind = CaseTaskInput['kind'];

/** How much a case covers. */
export interface CaseSize {
  readonly messages: number;
  readonly deleted_messages: number;
  /** Texts of messages, the first ones included. */
  readonly versions: number;
  /** Of these, whose keys are destroyed. */
  readonly erased_versions: number;
  /** Who wrote or deleted one of the messages, or took part in a direct conversation. */
  readonly people: number;
  /** Stored events: sendings, changes and moves. */
  readonly events: number;
  /** Events that cannot be read: what they say is not counted. */
  readonly unreadable_events: number;
  /** Of all texts that can be read, in UTF-8. */
  readonly text_bytes: number;
  /** Uploads that the messages refer to, in any version. */
  readonly files: number;
  readonly file_bytes: number;
}

/** Where a message lay, with what it is called today. */
export type NamedPlace =
  | {
      readonly type: 'channel';
      readonly channel_id: number;
      readonly channel_name: string | null;
      readonly topic: string;
    }
  | { readonly type: 'direct'; readonly user_ids: readonly number[] };

/** A message in which something was found; times are in seconds since the UNIX epoch. */
export interface CaseHit {
  readonly message_id: number;
  readonly sender_id: number;
  readonly sender_name: string | null;
  readonly sent: number;
  /** Where it lies, or lay at last. */
  readonly place: NamedPlace;
  /** Null: it was not deleted. */
  readonly deleted: number | null;
  /** The texts in which it was found, first to last. */
  readonly versions: readonly {
    /** From 1: what was sent. */
    readonly number: number;
    readonly written: number;
    /** Whether it is what the message says, or said at last. */
    readonly is_latest: boolean;
    /** A part of the text, around what was found. */
    readonly excerpt: string;
  }[];
}

/** What a search found. */
export interface CaseHits {
  readonly hits: readonly CaseHit[];
  /** Messages of the case that were looked through. */
  readonly looked: number;
  /** The id from which the search goes on, as `after`; null: everything was looked through. */
  readonly beyond: number | null;
  /** Events that cannot be read, and may have said it. */
  readonly unreadable_events: number;
}

/** A bundle that was made. */
export interface CaseBundle {
  readonly bytes: number;
  /** Of the whole file, hexadecimal. */
  readonly sha256: string;
  readonly messages: number;
  readonly versions: number;
  /** Stored events with their proofs. */
  readonly events: number;
  readonly files: number;
  /** Files that messages refer to, and that are not there any more. */
  readonly missing_files: number;
  readonly unreadable_events: number;
  /** Fingerprint of the key that signed it. */
  readonly signer: string;
}

/** What came of a task, by its kind. */
export interface CaseTaskResults {
  readonly size: CaseSize;
  readonly search: CaseHits;
  readonly export: CaseBundle;
}
export type CaseTaskResult = CaseTaskResults[CaseTaskKind];

/** How a task is run. */
export interface CaseTaskRun {
  /** Told how much of the work is done, 0 to 1; the work goes on when that is settled. */
  readonly report: (progress: number) => Promise<void> | void;
  /** Ends the task when it is aborted. */
  readonly signal: AbortSignal;
}

/** Does a task, off the thread that answers requests. */
export type RunCaseTask = (input: CaseTaskInput, run: CaseTaskRun) => Promise<CaseTaskResult>;
