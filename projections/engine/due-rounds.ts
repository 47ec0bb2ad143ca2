import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Backoff } from './pause.js';
import { isAboutStores } from './poison-event.js';

/** How many items are looked up with one query. */
const PAGE = 1_000;

/** How many items of one owner a round looks at: its earliest. */
const OF_OWNER = 100;

/** How many items of all owners a round looks at, so that its memory is bounded. */
const IN_MEMORY = 10_000;

/** How many items a round performs, so that the next one soon sees what came due meanwhile. */
const IN_ROUND = 500;

/** How many items, each of another owner, are performed at once. */
const AT_ONCE = 4;

/** How many failed items are known at once; one that was forgotten is tried again earlier. */
const FAILED = 10_000;

/** In milliseconds. */
const retries = { first: 1_000, max: 60_000 };

/** A part of what is due, in order. */
export interface DuePage {
  readonly skip: number;
  readonly limit: number;
}

/** Work that comes due, in items that do not depend on each other. */
export interface DueWork<Item> {
  /** Looks up what is due, the earliest first. */
  find(this: void, page: DuePage): Promise<readonly Item[]>;
  /** Identifies an item. Several with one key are performed once in a round. */
  keyOf(this: void, item: Item): string;
  /** Who takes turns with others: of a bot, its owner. */
  ownerOf(this: void, item: Item): number;
  perform(this: void, item: Item): Promise<void>;
  /** Whether an error concerns all items, so that the round ends. Absent: it does if it is about the stores. */
  endsRound?(this: void, error: unknown): boolean;
}

interface FailedItem {
  readonly backoff: Backoff;
  /** On the clock of `performance`. */
  readonly notBefore: number;
}

/**
 * Performs what is due in rounds. Owners take turns, so that the many items of one delay only that owner's. Items of one owner are performed
 * in order, one after another. An item that fails does not keep the others from being performed; it is tried again later, less and less
 * often.
 */
export class DueRounds<Item> {
  private readonly failed = new LRUCache<string, FailedItem>({ max: FAILED });

  constructor(private readonly work: DueWork<Item>) {}

  /**
   * Performs one round.
   *
   * @throws the error that ended the round, or the first of the errors of its items, after the others were performed
   */
  async run(): Promise<void> {
    const turns = [...(await this.lookUp()).values()];
    const errors: unknown[] = [];
    let [left, isOver] = [IN_ROUND, false];
    const take = async (): Promise<void> => {
      for (let items = turns.shift(); items !== undefined && left > 0 && !isOver; items = turns.shift()) {
        left -= 1;
        const error = await this.errorOf(items.shift()!);
        if (error?.endsRound === true) isOver = errors.unshift(error.cause) > 0;
        else if (error !== null) errors.push(error.cause);
        if (items.length > 0) turns.push(items);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    if (errors.length > 0) throw errors[0];
  }

  /** The earliest items of each owner, in the order of the owners' earliest. */
  private async lookUp(): Promise<ReadonlyMap<number, Item[]>> {
    const byOwner = new Map<number, Item[]>();
    const keys = new Set<string>();
    for (let skip = 0; keys.size < IN_MEMORY; skip += PAGE) {
      const page = await this.work.find({ skip, limit: PAGE });
      for (const item of page) this.take(item, { byOwner, keys });
      if (page.length < PAGE) break;
      await nextTurn();
    }
    return byOwner;
  }

  private take(
    item: Item,
    { byOwner, keys }: { readonly byOwner: Map<number, Item[]>; readonly keys: Set<string> },
  ): void {
    const key = this.work.keyOf(item);
    if (keys.has(key) || (this.failed.get(key)?.notBefore ?? 0) > performance.now()) return;
    const owner = this.work.ownerOf(item);
    const items = byOwner.get(owner) ?? [];
    if (items.length >= OF_OWNER) return;
    items.push(item);
    byOwner.set(owner, items);
    keys.add(key);
  }

  /** Performs an item; null: it did not fail. */
  private async errorOf(
    item: Item,
  ): Promise<{ readonly cause: unknown; readonly endsRound: boolean } | null> {
    const { perform, keyOf, endsRound = isAboutStores } = this.work;
    const key = keyOf(item);
    try {
      await perform(item);
      this.failed.delete(key);
      return null;
    } catch (cause) {
      if (endsRound(cause)) return { cause, endsRound: true };
      const backoff = this.failed.get(key)?.backoff ?? new Backoff(retries);
      this.failed.set(key, { backoff, notBefore: performance.now() + backoff.next() });
      return { cause, endsRound: false };
    }
  }
}
