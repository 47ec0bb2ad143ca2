import { fnv1a } from './fnv1a.js';

const BRANCHES = 32;

type Page<Key, Value> = ReadonlyMap<Key, Value>;
type Branch<Key, Value> = readonly (Page<Key, Value> | undefined)[];
type Root<Key, Value> = readonly (Branch<Key, Value> | undefined)[];

/**
 * An immutable map. Each change returns a new map that shares all unchanged entries, so a fold over tens of thousands
 * of entries stays pure without copying them for every event.
 */
export class PersistentMap<Key extends number | string, Value> {
  private constructor(
    private readonly root: Root<Key, Value>,
    readonly size: number,
  ) {}

  static empty<Key extends number | string, Value>(): PersistentMap<Key, Value> {
    return new PersistentMap<Key, Value>([], 0);
  }

  static from<Key extends number | string, Value>(
    entries: Iterable<readonly [Key, Value]>,
  ): PersistentMap<Key, Value> {
    const root: Map<Key, Value>[][] = [];
    let size = 0;
    for (const [key, value] of entries) {
      const place = placeOf(key);
      const branch = (root[place % BRANCHES] ??= []);
      const page = (branch[Math.floor(place / BRANCHES)] ??= new Map<Key, Value>());
      if (!page.has(key)) size += 1;
      page.set(key, value);
    }
    return new PersistentMap(root, size);
  }

  get(key: Key): Value | undefined {
    return this.pageOf(key)?.get(key);
  }

  has(key: Key): boolean {
    return this.pageOf(key)?.has(key) ?? false;
  }

  set(key: Key, value: Value): PersistentMap<Key, Value> {
    const page = new Map(this.pageOf(key)).set(key, value);
    return this.withPage(key, page, this.size + (this.has(key) ? 0 : 1));
  }

  delete(key: Key): PersistentMap<Key, Value> {
    if (!this.has(key)) return this;
    const page = new Map(this.pageOf(key));
    page.delete(key);
    return this.withPage(key, page, this.size - 1);
  }

  /** In no particular order. */
  *entries(): Iterable<readonly [Key, Value]> {
    for (const branch of this.root) {
      for (const page of branch ?? []) yield* page ?? [];
    }
  }

  *values(): Iterable<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  private pageOf(key: Key): Page<Key, Value> | undefined {
    const place = placeOf(key);
    return this.root[place % BRANCHES]?.[Math.floor(place / BRANCHES)];
  }

  private withPage(key: Key, page: Page<Key, Value>, size: number): PersistentMap<Key, Value> {
    const place = placeOf(key);
    const branch = [...(this.root[place % BRANCHES] ?? [])];
    branch[Math.floor(place / BRANCHES)] = page;
    const root = [...this.root];
    root[place % BRANCHES] = branch;
    return new PersistentMap(root, size);
  }
}

/** The index of the key's page: ids are dense, and texts are hashed. */
function placeOf(key: number | string): number {
  const pages = BRANCHES * BRANCHES;
  if (typeof key === 'number') return Math.abs(key) % pages;
  return fnv1a(key) % pages;
}
