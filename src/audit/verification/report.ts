/** What is wrong with the log, and where. */
export interface Finding {
  readonly kind:
    | 'damaged'
    | 'hash'
    | 'tag'
    | 'schema'
    | 'unreadable'
    | 'order'
    | 'missing'
    | 'duplicate'
    | 'seal'
    | 'statement'
    | 'record';
  /** Position in the log; null: the finding has none. */
  readonly position: number | null;
  /** `<stream>@<revision>`; null: unknown. */
  readonly place: string | null;
  readonly message: string;
}

/** The size and root of the Merkle tree that the log had at some time, from a source outside of the log. */
export interface KnownTreeHead {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
  /** `record`: the record beside the log; absent: a signed statement. */
  readonly by?: 'record';
}

/** The result of a verification. */
export interface VerificationReport {
  /** Number of events in the log. */
  readonly events: number;
  /** Position of the last event. */
  readonly head: number | null;
  /** The root of the Merkle tree of all events, hexadecimal. */
  readonly root: string;
  readonly seals: number;
  /** How many events the last valid seal covers. */
  readonly sealed: number;
  /** Fingerprints of the keys that signed seals. */
  readonly sealSigners: readonly string[];
  /** Position from which on events carry tags; null: none does, or tags were not checked. */
  readonly taggedFrom: number | null;
  /** The last event that was verified, `<stream>@<revision>`; null: the log is empty. */
  readonly last: string | null;
  readonly findings: readonly Finding[];
}

/** Further findings are counted, but not listed: those of a log that was rewritten as a whole would fill the memory. */
export const MAX_FINDINGS = 1_000;
