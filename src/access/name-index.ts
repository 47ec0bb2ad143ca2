import { nameKey } from '../kernel/text.js';

/** Finds things by their present names, whatever the case; several may share a name. */
export class NameIndex {
  private readonly idsByKey = new Map<string, Set<number>>();

  /** Files a thing under its name, and no longer under the one that it had. */
  rename(id: number, before: string | null, now: string): void {
    if (before !== null) this.idsByKey.get(nameKey(before))?.delete(id);
    const key = nameKey(now);
    const ids = this.idsByKey.get(key);
    if (ids === undefined) this.idsByKey.set(key, new Set([id]));
    else ids.add(id);
  }

  /** In the order in which they took the name. */
  find(name: string): Iterable<number> {
    return this.idsByKey.get(nameKey(name)) ?? [];
  }
}
