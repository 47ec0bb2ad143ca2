import type { CaseScope } from '../../../events/cases.js';
import type { AuditedAccess } from '../../commands/audit-access.decide.js';

/** Which messages a task looks at. */
interface Covered {
  readonly scope: CaseScope;
  /** Null: any text. */
  readonly words: string | null;
}

/** Counts what a case covers. */
export interface SizeInput extends Covered {
  readonly kind: 'size';
}

/** Searches what a case covers: every version of every message, deleted ones included. */
export interface SearchInput extends Covered {
  readonly kind: 'search';
  /** The words to look for, in the syntax of a case's words. */
  readonly query: string;
  /** Only messages with greater ids; 0: all. */
  readonly after: number;
}

/** Makes a bundle of what a case covers, for readers who do not have the log. */
export interface ExportInput extends Covered {
  readonly kind: 'export';
  /** What the bundle says about the case. */
  readonly about: BundledCase;
  /** Path of the bundle; null until the task has one. */
  readonly file: string | null;
}

/** A case as a bundle describes it; times are ISO 8601. */
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
  /** When the present legal hold was placed; null: there is none. */
  readonly heldSince: string | null;
}

/** A task about a case, as plain JSON for a thread. */
export type CaseTaskInput = SizeInput | SearchInput | ExportInput;
export type CaseTaskKind = CaseTaskInput['kind'];

/** How much a case covers. */
export interface CaseSize {
  readonly messages: number;
  readonly deleted_messages: number;
  /** Number of versions of all messages, the original ones included. */
  readonly versions: number;
  /** Number of versions whose keys are destroyed. */
  readonly erased_versions: number;
  /** People who wrote or deleted one of the messages, or took part in a direct conversation. */
  readonly people: number;
  /** Stored events: those that sent, changed and moved the messages. */
  readonly events: number;
  /** Events that cannot be read. Their content is not counted. */
  readonly unreadable_events: number;
  /** Size of all readable texts in UTF-8. */
  readonly text_bytes: number;
  /** Uploads that any version of the messages refers to. */
  readonly files: number;
  readonly file_bytes: number;
}

/** A place that a message was in, with its present name. */
export type NamedPlace =
  | {
      readonly type: 'channel';
      readonly channel_id: number;
      readonly channel_name: string | null;
      readonly topic: string;
    }
  | { readonly type: 'direct'; readonly user_ids: readonly number[] };

/** A message in which the words were found; times are in seconds since the UNIX epoch. */
export interface CaseHit {
  readonly message_id: number;
  readonly sender_id: number;
  readonly sender_name: string | null;
  readonly sent: number;
  /** The present place, or the last one before its deletion. */
  readonly place: NamedPlace;
  /** Null: it was not deleted. */
  readonly deleted: number | null;
  /** The versions in which the words were found, oldest first. */
  readonly versions: readonly {
    /** Starts at 1, which is the text that was sent. */
    readonly number: number;
    readonly written: number;
    /** Whether it is the present text, or the last one before its deletion. */
    readonly is_latest: boolean;
    /** A part of the text around the words. */
    readonly excerpt: string;
  }[];
}

/** What a search found. */
export interface CaseHits {
  readonly hits: readonly CaseHit[];
  /** Number of messages of the case that were searched. */
  readonly looked: number;
  /** The id from which to continue, as `after`; null: everything was searched. */
  readonly beyond: number | null;
  /** Events that cannot be read. They may have contained the words. */
  readonly unreadable_events: number;
}

/** A bundle that was made. */
export interface CaseBundle {
  readonly bytes: number;
  /** SHA-256 digest of the whole file, hexadecimal. */
  readonly sha256: string;
  readonly messages: number;
  readonly versions: number;
  /** Stored events with their proofs. */
  readonly events: number;
  readonly files: number;
  /** Files that messages refer to, but that do not exist any more. */
  readonly missing_files: number;
  readonly unreadable_events: number;
  /** Fingerprint of the key that signed it. */
  readonly signer: string;
}

/** The result of a task, by its kind. */
interface CaseTaskResults {
  readonly size: CaseSize;
  readonly search: CaseHits;
  readonly export: CaseBundle;
}
export type CaseTaskResult = CaseTaskResults[CaseTaskKind];

/** How to run a task. */
export interface CaseTaskRun {
  /** Called with the progress, 0 to 1; the work waits for the returned promise. */
  readonly report: (progress: number) => Promise<void> | void;
  /** Aborts the task. */
  readonly signal: AbortSignal;
}

/** Runs a task outside the thread that answers requests. */
export type RunCaseTask = (input: CaseTaskInput, run: CaseTaskRun) => Promise<CaseTaskResult>;

/** What is recorded of a task about a case. The words of a search are recorded as text, which is encrypted: they may name people. */
export function accessOf(caseId: number, input: CaseTaskInput): Omit<AuditedAccess, 'selection'> {
  const view = `case-${input.kind}` as const;
  if (input.kind !== 'search') return { view, asked: { caseId } };
  const { query: text, after } = input;
  return { view, asked: { caseId, ...(after > 0 && { after }) }, text };
}
