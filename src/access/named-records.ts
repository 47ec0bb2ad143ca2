import { NameIndex } from './name-index.js';

/** Records by id, with an index of their present names. */
export class NamedRecords<Item extends { readonly id: number }> {
  private readonly byId = new Map<number, Item>();
  private readonly names = new NameIndex();

  constructor(private readonly nameOf: (item: Item) => string) {}

  get(id: number): Item | null {
    return this.byId.get(id) ?? null;
  }

  all(): Iterable<Item> {
    return this.byId.values();
  }

  /** All records with a name, in any case. */
  *named(name: string): Iterable<Item> {
    for (const id of this.names.find(name)) {
      const item = this.get(id);
      if (item !== null) yield item;
    }
  }

  /** Adds a record, or replaces the one with its id. */
  put(item: Item): void {
    const before = this.get(item.id);
    this.names.rename(item.id, before === null ? null : this.nameOf(before), this.nameOf(item));
    this.byId.set(item.id, item);
  }
}
