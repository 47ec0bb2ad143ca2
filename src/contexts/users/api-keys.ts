import { hash, randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import { BatchedCalls } from '../../runtime/batched-calls.js';
import type { ApiKeyUse, CredentialStore, StoredApiKey } from '../../stores/credential-store/port.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** A new API key: 32 letters and digits, about 190 bits. */
export function newApiKey(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/**
 * The hexadecimal SHA-256 of a key, under which it is stored and found. A random key needs no slower hash.
 */
export function apiKeyDigest(key: string): string {
  return hash('sha256', key);
}

/** Id of a key in its owner's list: the first 64 bits of its digest, which reveal nothing about the key. */
export function apiKeyId(digest: string): string {
  return digest.slice(0, 16);
}

/** Lifetime of an entry: after it, a key that was revoked on another node is refused here too. */
const CACHED_MILLISECONDS = 1_000;

/** Maximum number of cached keys. */
const MAX_KEYS = 10_000;

/** Caches the owners of keys, for a second at most; keys revoked in this process are dropped at once. */
export class ApiKeyCache {
  private readonly owners = new LRUCache<string, number>({ max: MAX_KEYS, ttl: CACHED_MILLISECONDS });
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

/**
 * Uses of a key within this time are stored as one, because only the last use matters, not how many there
 * were.
 */
const PAUSE_MILLISECONDS = 60_000;

/** What {@link KeyUses} depends on. */
interface KeyUsesOptions {
  readonly store: Pick<CredentialStore, 'noteApiKeyUses'>;
  readonly clock: Clock;
  /** Called with the error when a use could not be stored. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Stores when keys were last used, to the minute, without delaying requests: concurrent uses share one write.
 */
export class KeyUses {
  private readonly writes = new BatchedCalls((uses: readonly ApiKeyUse[]) => this.write(uses));

  constructor(private readonly options: KeyUsesOptions) {}

  /** Notes that a key was used for authentication; the record was just read. */
  note({ digest, lastUsedAt }: Pick<StoredApiKey, 'digest' | 'lastUsedAt'>): void {
    const at = this.options.clock.now();
    if (lastUsedAt !== null && at - lastUsedAt < PAUSE_MILLISECONDS) return;
    // A store that cannot write, for instance on a full disk, must not keep people from reading.
    this.writes.call([{ digest, at }]).catch(this.options.onLost);
  }

  /** Resolves once every noted use is stored or lost. */
  idle(): Promise<void> {
    return this.writes.idle();
  }

  private async write(uses: readonly ApiKeyUse[]): Promise<readonly ApiKeyUse[]> {
    await this.options.store.noteApiKeyUses(uses);
    return uses;
  }
}

/**
 * The keys to revoke after one was issued, if the account would have more than `max`: the least recently used
 * of the same client first, and those of other clients only if that client has no more. So a script that logs
 * in again and again does not revoke the key of a phone.
 *
 * @param issued one of `keys`, which stays
 */
export function keysToRevoke(
  keys: readonly StoredApiKey[],
  issued: Pick<StoredApiKey, 'digest' | 'client'>,
  max: number,
): readonly StoredApiKey[] {
  const others = keys.filter(({ digest }) => digest !== issued.digest);
  const isOfOther = ({ client }: StoredApiKey): number => Number(client === null || client !== issued.client);
  return others
    .toSorted((a, b) => isOfOther(a) - isOfOther(b) || lastSeen(a) - lastSeen(b))
    .slice(0, Math.max(0, keys.length - max));
}

/** Later uses within a minute of the stored one are not stored, so a key may have been used until then. */
function lastSeen({ createdAt, lastUsedAt }: StoredApiKey): number {
  return lastUsedAt === null ? createdAt : lastUsedAt + PAUSE_MILLISECONDS;
}
