import { LRUCache } from 'lru-cache';

/** A revoked key is refused on every node by then. */
const MILLISECONDS = 1_000;

/** The most keys that are remembered. */
const MOST = 10_000;

/** Whose a key is, remembered for a second at most, and forgotten at once where it was revoked in this process. */
export class ApiKeyCache {
  private readonly owners = new LRUCache<string, number>({ max: MOST, ttl: MILLISECONDS });
  /** Rises with every revocation: what was looked up before one is not remembered after it. */
  private revocations = 0;

  /**
   * @param digest of the key
   * @param lookUp asks the store; null: nobody's, which is not remembered
   */
  async ownerOf(digest: string, lookUp: () => Promise<number | null>): Promise<number | null> {
    const known = this.owners.get(digest);
    if (known !== undefined) return known;
    const before = this.revocations;
    const owner = await lookUp();
    if (owner !== null && this.revocations === before) this.owners.set(digest, owner);
    return owner;
  }

  /** Call once the store holds the keys of this account no longer. */
  forget(userId: number): void {
    this.revocations += 1;
    for (const [digest, owner] of this.owners.entries()) {
      if (owner === userId) this.owners.delete(digest);
    }
  }
}
