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
  /** Where in the log; null: it has no place. */
  readonly position: number | null;
  /** `<stream>@<revision>`; null: not known. */
  readonly place: string | null;
  readonly message: string;
}

/** A tree, by its size and root: how far the log goes that somebody vouches for. */
export interface Vouched {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
  /** Who vouches: a signed statement, unless it is the record beside the log. */
  readonly by?: 'record';
}

/** What came of a verification. */
export interface VerificationReport {
  /** How many events the log holds. */
  readonly events: number;
  /** Position of the last one. */
  readonly head: number | null;
  /** The root of the Merkle tree of all of them, hexadecimal. */
  readonly root: string;
  readonly seals: number;
  /** How many events the last good seal covers. */
  readonly sealed: number;
  /** Fingerprints of the keys that seals are signed with. */
  readonly sealSigners: readonly string[];
  /** From which position on events carry tags; null: none does, or tags were not looked at. */
  readonly taggedFrom: number | null;
  /** The last event, `<stream>@<revision>`, up to which all of this speaks; null: there is none. */
  readonly last: string | null;
  readonly findings: readonly Finding[];
}

/** More are counted, but not listed: a log that was rewritten as a whole would fill the memory. */
export const MAX_FINDINGS = 1_000;
