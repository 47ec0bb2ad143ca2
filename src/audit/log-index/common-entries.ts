import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { Collection, Filter } from '../../stores/read-store/port.js';

/** Which way through the log. */
export type Direction = 'forwards' | 'backwards';

/** Between which positions events are looked for, both included. */
export type PositionRange = readonly [lowest: number, highest: number];

/** What entries of the index must have, and how one index finds those that do. */
export interface EntryTerm {
  /** The filter is led into by one index. */
  readonly filter: Filter;
  readonly matches: (entry: AuditEntryDocument) => boolean;
}

/** Where entries are looked for, and which way. */
export interface EntrySearch {
  readonly entries: Collection<AuditEntryDocument>;
  readonly range: PositionRange;
  readonly direction: Direction;
  /** Rows of the index that may be looked at. */
  readonly maxRows: number;
}

/** Entries that have everything that is asked for, in the direction. */
export interface FoundEntries {
  readonly entries: readonly AuditEntryDocument[];
  /** Whether there are no more. */
  readonly isEnd: boolean;
}

/** So many entries of each term say how rare it is there. */
const PROBE = 16;
/** So many entries of the rarest are read at first; twice as many each time. */
const FIRST_CHUNK = 64;
const MAX_CHUNK = 2_048;

/**
 * The entries that have several things in common. Those of whichever is rarest from there on are read, a chunk at a time, and the others looked for in them: so
 * the work is about what the rarest has, in few questions to the store, and what is rare in one part of the log need not be in another.
 */
export class CommonEntries {
  /** Everything before this, in the direction, was looked at. */
  bound: number;
  /** How many rows were looked at. */
  rows = 0;
  private chunk = FIRST_CHUNK;
  private readonly step: 1 | -1;

  constructor(
    private readonly terms: readonly EntryTerm[],
    private readonly search: EntrySearch,
  ) {
    const { direction, range } = search;
    this.step = direction === 'forwards' ? 1 : -1;
    this.bound = direction === 'forwards' ? range[0] : range[1];
  }

  /** Up to here everything was looked at. */
  get passed(): number {
    return this.bound - this.step;
  }

  get isSpent(): boolean {
    return this.rows >= this.search.maxRows;
  }

  /** The next of them; there may be more where none were found. */
  async next(): Promise<FoundEntries> {
    const lead = await this.rarest();
    if (lead === null) return { entries: [], isEnd: true };
    const limit = Math.max(1, Math.min(this.chunk, this.search.maxRows - this.rows));
    this.chunk = Math.min(MAX_CHUNK, this.chunk * 2);
    const found = await this.find(lead.filter, limit);
    const entries = found.filter((entry) => this.terms.every((term) => term === lead || term.matches(entry)));
    const last = found.at(-1);
    if (last !== undefined) this.bound = last._id + this.step;
    return { entries, isEnd: found.length < limit };
  }

  /** The term whose next entries reach farthest; null: one of them has no more. */
  private async rarest(): Promise<EntryTerm | null> {
    if (this.terms.length === 1) return this.terms[0]!;
    let rarest: { readonly term: EntryTerm; readonly reach: number } | null = null;
    let start = this.bound;
    for (const term of this.terms) {
      const probed = await this.find(term.filter, PROBE, { _id: 1 });
      const [first, last] = [probed[0], probed.at(-1)];
      if (first === undefined || last === undefined) return null;
      // What has fewer than these left reaches the end.
      const reach = probed.length < PROBE ? Infinity : last._id * this.step;
      if (rarest === null || reach > rarest.reach) rarest = { term, reach };
      if (first._id * this.step > start * this.step) start = first._id;
    }
    this.bound = start;
    return rarest?.term ?? null;
  }

  private async find(
    filter: Filter,
    limit: number,
    projection?: Readonly<Record<string, 1>>,
  ): Promise<readonly AuditEntryDocument[]> {
    const { entries, range, direction } = this.search;
    const within =
      direction === 'forwards' ? { $gte: this.bound, $lte: range[1] } : { $lte: this.bound, $gte: range[0] };
    const options = { sort: { _id: this.step }, limit, ...(projection && { projection }) };
    const found = await entries.find({ ...filter, _id: within }, options);
    this.rows += found.length;
    return found;
  }
}
