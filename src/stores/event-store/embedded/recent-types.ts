/** Number of positions that are remembered. */
const MAX_TYPES = 4096;

/** The types of the events that one commit added, in order. */
export interface CommittedTypes {
  /** Position of the first one. */
  readonly first: number;
  readonly types: readonly string[];
}

/** The types of the last events, announced by their commits: a reader that wants none of them need not read the file. */
export class RecentTypes {
  private first = 1;
  private types: string[] = [];

  /** Adds a commit. Types before a gap are dropped; a late announcement from another thread counts as a gap. */
  add({ first, types }: CommittedTypes): void {
    if (first + types.length - 1 <= this.end) return;
    if (first !== this.end + 1) {
      this.first = first;
      this.types = [];
    }
    this.types.push(...types);
    const surplus = this.types.length - MAX_TYPES;
    // Removes many at once, so that not every commit moves the whole array.
    if (surplus > MAX_TYPES) {
      this.types = this.types.slice(surplus);
      this.first += surplus;
    }
  }

  /** The last known position, if everything after `after` is known and none of it is wanted; else null. */
  passable(after: number, wanted: ReadonlySet<string>): number | null {
    if (this.types.length === 0 || after + 1 < this.first || after > this.end) return null;
    for (let index = after + 1 - this.first; index < this.types.length; index += 1) {
      if (wanted.has(this.types[index]!)) return null;
    }
    return this.end;
  }

  /** The last known position. */
  get end(): number {
    return this.first + this.types.length - 1;
  }
}
