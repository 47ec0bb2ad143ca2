import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Round, type Failure, type Owner, type OwnerQueue } from './due-turns.js';
import { ItemRetries } from './pause.js';
import { isAboutStores } from './poison-event.js';

/** How many items are looked up with one query. */
const PAGE = 1_000;

/** Maximum number of items of one owner in memory. The earliest ones are taken. */
const OF_OWNER = 500;

/** Maximum number of pages that one look-up reads. The next look-up continues after the last page. */
const PAGES = 60;

/** Maximum number of items of all owners in memory. */
const IN_MEMORY = 20_000;

/** After a look-up, items are performed for at least this many times as long before the next look-up, unless none are left. */
const LOOK_UP_SHARE = 10;

/** Milliseconds after which a round stops looking for items. It must be short, because stopping the process waits for the round. */
const MAX_LOOK_UP = 1_000;

/** Maximum number of items in a round, unless the work specifies it. Short rounds soon find items that came due meanwhile. */
const IN_ROUND = 500;

/** How many items are performed concurrently, each of a different owner, unless the work specifies it. */
const AT_ONCE = 4;

/** Maximum number of owners whose last turn is remembered, and of owners in `cutShort`. */
const OWNERS = 10_000;

/** A part of what is due, in order. */
export interface DuePage<Item = unknown> {
  readonly skip: number;
  readonly limit: number;
  /** The last item of the page before; null: this is the first page. */
  readonly last: Item | null;
}

/** Work that comes due, in items that do not depend on each other. */
export interface DueWork<Item> {
  /** Looks up what is due, the earliest first. */
  find(this: void, page: DuePage<Item>): Promise<readonly Item[]>;
  /** Identifies an item. Of several items with the same key, only one is performed in a round. */
  keyOf(this: void, item: Item): string;
  /** The owner of an item. Owners take turns. The items of a bot belong to the owner of the bot. */
  ownerOf(this: void, item: Item): Owner;
  /** Performs an item. Returns how many of the items that `find` returns are no longer due because of it; absent: one. */
  perform(this: void, item: Item): Promise<number | void>;
  /** Whether an error ends the round, because it would affect every item. Absent: errors of the stores end it. */
  endsRound?(this: void, error: unknown): boolean;
  /** Maximum number of items in a round; absent: 500. */
  readonly itemsOfRound?: number;
  /** How many items are performed concurrently, each of a different owner; absent: 4. */
  readonly atOnce?: number;
}

/** Where the look-up of a long backlog continues. */
interface BacklogPosition<Item> extends Pick<DuePage<Item>, 'last'> {
  /** How many due items to skip. Decreases when items are performed, because those are no longer due. An item that is read twice is held once. */
  skip: number;
}

/**
 * Performs due items in rounds. Owners take turns, so that an owner with many items does not delay the others. The items of one owner are
 * performed in order, one after another. If an item fails, the others are performed all the same. The failed item is retried after
 * increasing delays.
 */
export class DueRounds<Item> {
  private readonly retries = new ItemRetries();
  /** By owner: the number of its last turn. */
  private readonly lastTurns = new LRUCache<Owner, number>({ max: OWNERS });
  private turn = 0;
  /** What was looked up and is not yet performed, by owner. No list is empty. */
  private held = new Map<Owner, Item[]>();
  /**
   * Owners who have more due items than are held. Later items that this pass finds of them are not held, because they would be performed
   * before the items that were left out.
   */
  private readonly cutShort = new Set<Owner>();
  /** Null: the next look-up begins with the earliest item. */
  private position: BacklogPosition<Item> | null = null;
  /** Time of the next look-up, as `performance.now()`. Until then, items are looked up only when none are held. */
  private lookUpAt = 0;

  constructor(private readonly work: DueWork<Item>) {}

  /**
   * Performs one round.
   *
   * @throws the error that ended the round; otherwise, after all items were performed, the first error of an item
   */
  async run(): Promise<void> {
    if (this.held.size === 0 || performance.now() >= this.lookUpAt) await this.lookUpMore();
    const { itemsOfRound = IN_ROUND, atOnce = AT_ONCE } = this.work;
    const round = new Round(this.nextTurns(), itemsOfRound, (turn) => this.failureOfTurn(turn));
    await round.performTurns(atOnce);
    // An item that was taken from `held` may not have been performed, so everything is looked up again.
    if (round.isEnded) this.held.clear();
    round.throwFirstError();
  }

  /** Owners in the order of their last turns, the longest ago first; those without a turn in the order of their earliest items. */
  private nextTurns(): OwnerQueue<Item>[] {
    const turns = [...this.held].map(([owner, items]) => ({ owner, items }));
    const last = ({ owner }: OwnerQueue<Item>): number => this.lastTurns.get(owner) ?? 0;
    return turns.sort((one, other) => last(one) - last(other));
  }

  /** Looks up items, repeatedly while it finds only items of owners in `cutShort`: those are held in the next pass. */
  private async lookUpMore(): Promise<void> {
    const until = performance.now() + MAX_LOOK_UP;
    do await this.lookUp();
    while (this.held.size === 0 && this.cutShort.size > 0 && performance.now() < until);
  }

  /** Looks up the earliest items of each owner. Continues the previous look-up if that did not reach the end of the backlog. */
  private async lookUp(): Promise<void> {
    const from = performance.now();
    if (this.position === null) {
      this.held = new Map();
      this.cutShort.clear();
    }
    const keys = new Set([...this.held.values()].flat().map((item) => this.work.keyOf(item)));
    this.position = await this.readPages(this.position ?? { skip: 0, last: null }, keys);
    const now = performance.now();
    this.lookUpAt = now + LOOK_UP_SHARE * (now - from);
  }

  /** Returns where the next look-up continues; null: this one reached the end of the backlog or a limit. */
  private async readPages(
    { skip, last }: BacklogPosition<Item>,
    keys: Set<string>,
  ): Promise<BacklogPosition<Item> | null> {
    for (let pages = 0; keys.size < IN_MEMORY && this.cutShort.size < OWNERS; pages += 1) {
      if (pages === PAGES) return { skip, last };
      const page = await this.work.find({ skip, limit: PAGE, last });
      for (const item of page) this.hold(item, keys);
      if (page.length < PAGE) return null;
      skip += PAGE;
      last = page.at(-1) ?? null;
      await yieldToEventLoop();
    }
    return null;
  }

  /** Keeps an item for this or a later round, unless it is held already, waits for its retry, or exceeds the limit of its owner. */
  private hold(item: Item, keys: Set<string>): void {
    const key = this.work.keyOf(item);
    if (keys.has(key) || this.retries.isWaiting(key)) return;
    const owner = this.work.ownerOf(item);
    const items = this.held.get(owner) ?? [];
    if (items.length >= OF_OWNER) this.cutShort.add(owner);
    if (this.cutShort.has(owner)) return;
    items.push(item);
    this.held.set(owner, items);
    keys.add(key);
  }

  /** Performs the next item of an owner. Returns its failure; null: it succeeded. */
  private async failureOfTurn({ owner, items }: OwnerQueue<Item>): Promise<Failure | null> {
    const { perform, keyOf, endsRound = isAboutStores } = this.work;
    const item = items.shift()!;
    const key = keyOf(item);
    if (items.length === 0) this.held.delete(owner);
    this.lastTurns.set(owner, (this.turn += 1));
    try {
      const settled = (await perform(item)) ?? 1;
      this.retries.noteSuccess(key);
      if (this.position !== null) this.position.skip = Math.max(0, this.position.skip - settled);
      return null;
    } catch (cause) {
      if (endsRound(cause)) {
        this.position = null;
        return { cause, endsRound: true };
      }
      this.retries.noteFailure(key);
      return { cause, endsRound: false };
    }
  }
}
