import { nameKey } from '../kernel/text.js';
import type { PersistentMap } from '../kernel/persistent-map.js';
import type { User } from './records/user.js';

/** A record that no other of its kind shares its name with. */
interface NamedRecord {
  readonly id: number;
  readonly name: string;
}

/** Finds ids by present names, ignoring case; several may share a name. */
class NameIndex {
  private readonly idsByKey = new Map<string, Set<number>>();

  /** Moves an id from its previous name to a new one. */
  rename(id: number, before: string | null, now: string): void {
    if (before !== null) this.idsByKey.get(nameKey(before))?.delete(id);
    const key = nameKey(now);
    const ids = this.idsByKey.get(key);
    if (ids === undefined) this.idsByKey.set(key, new Set([id]));
    else ids.add(id);
  }

  /** In the order in which they got the name. */
  find(name: string): Iterable<number> {
    return this.idsByKey.get(nameKey(name)) ?? [];
  }
}

/**
 * Ids by unique name key, after a record was created or renamed. Its previous name is free again.
 *
 * @param before null: the record is new
 */
export function renamed(
  idsByName: PersistentMap<string, number>,
  before: NamedRecord | null,
  { id, name }: NamedRecord,
): PersistentMap<string, number> {
  if (before?.name === name) return idsByName;
  const freed = before === null ? idsByName : idsByName.delete(nameKey(before.name));
  return freed.set(nameKey(name), id);
}

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

/** Every account, active or not, indexed by id, name and address. */
export class People extends NamedRecords<User> {
  private readonly idByEmailDigest = new Map<string, number>();

  constructor() {
    super(({ fullName }) => fullName);
  }

  /** Finds an account by the keyed digest of its address (see the vault). */
  withEmailDigest(digest: string): User | null {
    const id = this.idByEmailDigest.get(digest);
    return id === undefined ? null : this.get(id);
  }

  override put(user: User): void {
    const before = this.get(user.id);
    super.put(user);
    if (before !== null) this.idByEmailDigest.delete(before.emailDigest);
    this.idByEmailDigest.set(user.emailDigest, user.id);
  }
}
