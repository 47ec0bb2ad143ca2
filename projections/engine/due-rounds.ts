import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Round, type Failure, type Owner, type Turns } from './due-turns.js';
import { ItemRetries } from './pause.js';
import { isAboutStores } from './poison-event.js';

/** How many items are looked up with one query. */
const PAGE = 1_000;

/** How many items of one owner are looked up at most: its earliest. */
const OF_OWNER = 500;

/** How many pages one look-up reads; the next one continues from there. */
const PAGES = 60;

/** How many items of all owners are looked up at most, so that memory is bounded. */
const IN_MEMORY = 20_000;

/** Looking up a long backlog takes at most one part in so many of the time. */
const LOOK_UP_SHARE = 10;

/** Milliseconds after which a round that found nothing to perform ends all the same: a stop waits for it. */
const MAX_LOOK_UP = 1_000;

/** How many items a round performs, so that the next one soon sees what came due meanwhile. */
const IN_ROUND = 500;

/** How many items, each of another owner, are performed at once, unless the work says otherwise. */
const AT_ONCE = 4;

/** How many owners are remembered with their last turn, and in a pass as those of whom not everything was looked up. */
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
  /** Identifies an item. Several with one key are performed once in a round. */
  keyOf(this: void, item: Item): string;
  /** Who takes turns with others: of a bot, its owner. */
  ownerOf(this: void, item: Item): Owner;
  /** Returns how many of the items that `find` returns it settled, so that they are not due any more; absent: only this one. */
  perform(this: void, item: Item): Promise<number | void>;
  /** Whether an error concerns all items, so that the round ends. Absent: it does if it is about the stores. */
  endsRound?(this: void, error: unknown): boolean;
  /** How many items a round performs; absent: many. */
  readonly itemsOfRound?: number;
  /** How many items, each of another owner, are performed at once; absent: a few. */
  readonly atOnce?: number;
}

/** Where the look-up of a long backlog continues. */
interface BacklogPosition<Item> extends Pick<DuePage<Item>, 'last'> {
  /** Decreases by what the items that are performed settle: what is read twice is held once. */
  skip: number;
}

/**
 * Performs what is due in rounds. Owners take turns, so that the many items of one delay only that owner's. Items of one owner are performed
 * in order, one after another. An item that fails does not keep the others from being performed; it is tried again later, less and less
 * often.
 */
export class DueRounds<Item> {
  private readonly retries = new ItemRetries();
  /** By owner: the number of its last turn. */
  private readonly lastTurns = new LRUCache<Owner, number>({ max: OWNERS });
  private turn = 0;
  /** What was looked up and is not yet performed, by owner. No list is empty. */
  private held = new Map<Owner, Item[]>();
  /** Owners of whom this pass through the backlog did not hold everything: what it still finds of theirs must not overtake that. */
  private readonly cutShort = new Set<Owner>();
  /** Null: the next look-up begins with the earliest item. */
  private position: BacklogPosition<Item> | null = null;
  /** On the clock of `performance`. Until then, what is held is performed first. */
  private lookUpAt = 0;

  constructor(private readonly work: DueWork<Item>) {}

  /**
   * Performs one round.
   *
   * @throws the error that ended the round, or the first of the errors of its items, after the others were performed
   */
  async run(): Promise<void> {
    if (this.held.size === 0 || performance.now() >= this.lookUpAt) await this.lookUpMore();
    const { itemsOfRound = IN_ROUND, atOnce = AT_ONCE } = this.work;
    const round = new Round(this.nextTurns(), itemsOfRound, (turn) => this.failureOfTurn(turn));
    await round.performTurns(atOnce);
    // What ended the round may have kept an item from being performed that nobody holds any more.
    if (round.isEnded) this.held.clear();
    round.throwFirstError();
  }

  /** Whose turn was longest ago is first; then, whose earliest item is. */
  private nextTurns(): Turns<Item>[] {
    const turns = [...this.held].map(([owner, items]) => ({ owner, items }));
    const last = ({ owner }: Turns<Item>): number => this.lastTurns.get(owner) ?? 0;
    return turns.sort((one, other) => last(one) - last(other));
  }

  /** Goes on where there is only more of owners that were cut short, which is held from the beginning of the next pass. */
  private async lookUpMore(): Promise<void> {
    const until = performance.now() + MAX_LOOK_UP;
    do await this.lookUp();
    while (this.held.size === 0 && this.cutShort.size > 0 && performance.now() < until);
  }

  /** Looks up the earliest items of each owner, or more of a backlog that is too long for one look-up. */
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

  /** Returns where the next look-up continues; null: this one read to the end, or holds enough. */
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
      await nextTurn();
    }
    return null;
  }

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

  /** Performs an owner's next item; null: it did not fail. */
  private async failureOfTurn({ owner, items }: Turns<Item>): Promise<Failure | null> {
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
