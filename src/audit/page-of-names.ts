import { foldCase } from '../kernel/text.js';
import type { ListNamesParameters } from './audit.parameters.js';

/** What has a name: accounts, or channels. */
export interface NamedRecords<Item> {
  readonly all: () => Iterable<Item>;
  readonly find: (id: number) => Item | null;
  readonly nameOf: (item: Item) => string;
  /** The refusal if `after` is the id of none. */
  readonly unknown: () => Error;
}

interface PageOfNames<Item> {
  readonly found: readonly Item[];
  /** The id to request the next page with; null: there are no more. */
  readonly after: number | null;
}

type Order<Item> = (one: Item, other: Item) => number;

/** Items of a page if the request names no number. */
const DEFAULT_LIMIT = 50;

const collator = new Intl.Collator('en');

/** A page of what is requested, by name and then by id. @throws the error of `unknown` */
export function pageOfNames<Item extends { readonly id: number }>(
  { name, exact = false, ids, after, limit = DEFAULT_LIMIT }: ListNamesParameters,
  { all, find, nameOf, unknown }: NamedRecords<Item>,
): PageOfNames<Item> {
  const order: Order<Item> = (one, other) =>
    collator.compare(nameOf(one), nameOf(other)) || one.id - other.id;
  const last = after === undefined ? null : find(after);
  if (after !== undefined && last === null) throw unknown();
  const wanted = foldCase(name ?? '');
  const candidates = ids === undefined ? all() : itemsOf(ids, find);
  // One more than the page has tells whether there are more.
  const found = new FirstItems(limit + 1, order);
  for (const item of candidates) {
    const folded = foldCase(nameOf(item));
    const isWanted = name === undefined || (exact ? folded === wanted : folded.includes(wanted));
    if (isWanted && (last === null || order(item, last) > 0)) found.offer(item);
  }
  const page = found.items.slice(0, limit);
  return { found: page, after: found.items.length > limit ? page.at(-1)!.id : null };
}

function itemsOf<Item>(ids: readonly number[], find: (id: number) => Item | null): readonly Item[] {
  return [...new Set(ids)].map(find).filter((item) => item !== null);
}

/** The first of many items, in order, so that a page costs no sorting of everybody. */
class FirstItems<Item> {
  readonly items: Item[] = [];

  constructor(
    private readonly max: number,
    private readonly order: Order<Item>,
  ) {}

  offer(item: Item): void {
    const { items, max, order } = this;
    if (items.length === max && order(item, items[max - 1]!) > 0) return;
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    items.splice(low, 0, item);
    if (items.length > max) items.pop();
  }
}
