import { LRUCache } from 'lru-cache';

/** Lifetime of an entry: after it, a key that was revoked on another node is refused here too. */
const MILLISECONDS = 1_000;

/** Maximum number of cached keys. */
const MAX_KEYS = 10_000;

/** Caches the owners of keys, for a second at most; keys revoked in this process are dropped at once. */
export class ApiKeyCache {
  private readonly owners = new LRUCache<string, number>({ max: MAX_KEYS, ttl: MILLISECONDS });
  /** Rises with every revocation: a look-up that began before one is not cached after it. */
  private revocations = 0;

  /**
   * @param digest of the key
   * @param lookUp asks the store; null: the key has no owner, which is not cached
   */
  async ownerOf(digest: string, lookUp: () => Promise<number | null>): Promise<number | null> {
    const known = this.owners.get(digest);
    if (known !== undefined) return known;
    const before = this.revocations;
    const owner = await lookUp();
    if (owner !== null && this.revocations === before) this.owners.set(digest, owner);
    return owner;
  }

  /** Call after the store has removed the keys of this account. */
  forget(userId: number): void {
    this.revocations += 1;
    for (const [digest, owner] of this.owners.entries()) {
      if (owner === userId) this.owners.delete(digest);
    }
  }
}
