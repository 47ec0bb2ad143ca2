import type { Collection, Filter } from '../../stores/read-store/port.js';
import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';

/** Which way through the log. */
export type Direction = 'forwards' | 'backwards';

/** How many rows of the index one request has looked at. */
export interface RowsLooked {
  rows: number;
}

/** So many positions are asked for at first; twice as many each time that all of them were of use. */
const FIRST_CHUNK = 16;
const MAX_CHUNK = 512;

/** The positions of the events that a filter finds, one after another in one direction. The filter is led into by one index. */
export class Postings {
  private found: readonly number[] = [];
  private next = 0;
  private chunk = FIRST_CHUNK;
  private isAtEnd = false;

  constructor(
    private readonly entries: Collection<AuditEntryDocument>,
    private readonly filter: Filter,
    private readonly direction: Direction,
    private readonly looked: RowsLooked,
  ) {}

  /** The first position at a bound or beyond it; null: there is none. Bounds never go back. */
  async at(bound: number): Promise<number | null> {
    for (;;) {
      const first = this.found[this.next];
      if (first !== undefined && !this.isBefore(first, bound)) return first;
      if (first !== undefined) this.next += 1;
      else if (this.isAtEnd) return null;
      else await this.look(bound);
    }
  }

  private isBefore(position: number, bound: number): boolean {
    return this.direction === 'forwards' ? position < bound : position > bound;
  }

  private async look(bound: number): Promise<void> {
    const isForwards = this.direction === 'forwards';
    const range = isForwards ? { $gte: bound } : { $lte: bound };
    const last = this.found.at(-1);
    // Where another list has leapt far ahead, a few are enough to go on.
    const isNear = last !== undefined && Math.abs(last - bound) <= 1;
    this.chunk = isNear ? Math.min(MAX_CHUNK, this.chunk * 2) : FIRST_CHUNK;
    const entries = await this.entries.find(
      { ...this.filter, _id: range },
      { sort: { _id: isForwards ? 1 : -1 }, limit: this.chunk, projection: { _id: 1 } },
    );
    this.looked.rows += entries.length;
    this.found = entries.map(({ _id }) => _id);
    this.next = 0;
    this.isAtEnd = entries.length < this.chunk;
  }
}

/**
 * The positions that several lists have in common: each list is led to where another one is, so that the work is no more than the shortest has
 * entries, times the number of lists.
 */
export class CommonPostings {
  /** Everything before this, in the direction, was looked at. */
  bound: number;
  private readonly step: 1 | -1;

  constructor(
    private readonly lists: readonly Postings[],
    { from, direction }: { readonly from: number; readonly direction: Direction },
  ) {
    this.bound = from;
    this.step = direction === 'forwards' ? 1 : -1;
  }

  /** The next position; null: there is none. `isSpent` is asked after each look, and ends the search with `undefined`. */
  async next(isSpent: () => boolean): Promise<number | null | undefined> {
    for (let agreeing = 0, list = 0; ; list = (list + 1) % this.lists.length) {
      if (isSpent()) return undefined;
      const position = await this.lists[list]!.at(this.bound);
      if (position === null) return null;
      agreeing = position === this.bound ? agreeing + 1 : 1;
      this.bound = position;
      if (agreeing < this.lists.length) continue;
      this.bound = position + this.step;
      return position;
    }
  }
}
