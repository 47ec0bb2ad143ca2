import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { Collection, Filter } from '../../stores/read-store/port.js';

/** In which direction the log is read. */
export type Direction = 'forwards' | 'backwards';

/** The range of positions to search, both ends included. */
export type PositionRange = readonly [lowest: number, highest: number];

/** A condition on entries of the index, and the filter by which one database index finds the entries that meet it. */
export interface EntryTerm {
  /** A filter that one database index serves. */
  readonly filter: Filter;
  readonly matches: (entry: AuditEntryDocument) => boolean;
}

/** Where to look for entries, and in which direction. */
interface EntrySearch {
  readonly entries: Collection<AuditEntryDocument>;
  readonly range: PositionRange;
  readonly direction: Direction;
  /** Maximum number of rows of the index to read. */
  readonly maxRows: number;
}

/** Entries that meet all conditions, in the direction of the search. */
interface FoundEntries {
  readonly entries: readonly AuditEntryDocument[];
  /** Whether there are no more. */
  readonly isEnd: boolean;
}

/** How many entries of each condition are read to estimate how rare they are. */
const PROBE = 16;
/** How many entries of the rarest condition are read first; the number doubles with each read. */
const FIRST_CHUNK = 64;
const MAX_CHUNK = 2_048;

/**
 * Finds the entries that meet several conditions. It reads the entries of the condition that is rarest from the
 * present position on, a chunk at a time, and checks the other conditions on them. So the work depends on the rarest
 * condition and takes few queries. The estimate is repeated for each chunk, because a condition may be rare in one
 * part of the log and common in another.
 */
export class CommonEntries {
  /** Everything before this position, in the direction of the search, was looked at. */
  bound: number;
  /** How many rows were read. */
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

  /** The position up to which everything was looked at. */
  get passed(): number {
    return this.bound - this.step;
  }

  get isSpent(): boolean {
    return this.rows >= this.search.maxRows;
  }

  /** The next entries. An empty result does not mean that there are no more. */
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

  /** The condition whose next entries reach farthest; null: one of them has no more entries, so nothing meets all. */
  private async rarest(): Promise<EntryTerm | null> {
    if (this.terms.length === 1) return this.terms[0]!;
    let rarest: { readonly term: EntryTerm; readonly reach: number } | null = null;
    let start = this.bound;
    for (const term of this.terms) {
      const probed = await this.find(term.filter, PROBE, { _id: 1 });
      const [first, last] = [probed[0], probed.at(-1)];
      if (first === undefined || last === undefined) return null;
      // With fewer entries than were requested, the condition's entries reach the end.
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
