/** How many of the last positions are remembered. */
const MOST = 4096;

/** Events that one commit added to the log: the type of each, in order. */
export interface CommittedTypes {
  /** Position of the first of them. */
  readonly first: number;
  readonly types: readonly string[];
}

/**
 * The types of the last events of a log, as their commits announce them: a reader that wants none of them need not look into
 * the file.
 */
export class RecentTypes {
  private first = 1;
  private types: string[] = [];

  /** Takes note of a commit. What was known before a gap is forgotten; what comes late, from another thread, counts as a gap. */
  add({ first, types }: CommittedTypes): void {
    if (first + types.length - 1 <= this.end) return;
    if (first !== this.end + 1) {
      this.first = first;
      this.types = [];
    }
    this.types.push(...types);
    const surplus = this.types.length - MOST;
    // Half at once, so that not every commit moves all of them.
    if (surplus > MOST) {
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
