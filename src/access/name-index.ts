import { nameKey } from '../kernel/text.js';

/** Finds ids by present names, ignoring case; several may share a name. */
export class NameIndex {
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
