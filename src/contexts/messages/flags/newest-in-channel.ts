import type { FlaggedMessage } from './flags.state.js';
import type { IdRange, IdRanges } from './id-ranges.js';

/** Reads the newest messages of a channel below an id, newest first, at most `limit`. */
type ReadBelow = (id: number, limit: number) => Promise<readonly FlaggedMessage[]>;

/** How many messages are read at once: few enough for the thread that answers requests. */
const PAGE_SIZE = 1000;

/** How many messages are kept at most, some 200 bytes each. */
const MAX_KEPT = 50_000;

/**
 * The newest messages of a channel, read once for everybody who left it, and only as far back as one of them
 * may have unread messages.
 */
export class NewestInChannel {
  /** In falling order. */
  private readonly messages: FlaggedMessage[] = [];
  private isWhole = false;
  private reading: Promise<void> | null = null;

  constructor(private readonly readBelow: ReadBelow) {}

  /** The channel's messages within ranges of ids, in rising order; null: the ranges reach too far back. */
  async within(ranges: IdRanges): Promise<readonly FlaggedMessage[] | null> {
    const [lowest] = ranges;
    if (lowest === undefined) return [];
    while (!this.reachesTo(lowest.from)) {
      if (this.messages.length >= MAX_KEPT) return null;
      this.reading ??= this.readPage().finally(() => (this.reading = null));
      await this.reading;
    }
    return ranges.flatMap((range) => this.inRange(range));
  }

  private reachesTo(id: number): boolean {
    const oldest = this.messages.at(-1)?._id;
    return this.isWhole || (oldest !== undefined && oldest <= id);
  }

  private async readPage(): Promise<void> {
    const below = this.messages.at(-1)?._id ?? Number.MAX_SAFE_INTEGER;
    const page = await this.readBelow(below, PAGE_SIZE);
    this.messages.push(...page);
    this.isWhole = page.length < PAGE_SIZE;
  }

  private inRange({ from, through }: IdRange): FlaggedMessage[] {
    const [first, end] = [this.indexBelow(through + 1), this.indexBelow(from)];
    return this.messages.slice(first, end).reverse();
  }

  /** Index of the first message whose id is below this one. */
  private indexBelow(id: number): number {
    let [low, high] = [0, this.messages.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.messages[middle]!._id >= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
