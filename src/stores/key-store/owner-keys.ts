import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { unwrapKey, wrapKey } from './key-wrapping.js';
import type { KeyStore, WrappedKey } from './port.js';

/** Milliseconds for which a key is used from the cache without asking the store whether it still exists. */
const TRUSTED_FOR = 1000;

const MAX_CACHED = 10_000;

/** Id of a person's key in the key store: destroying it erases everything that the person wrote. */
export function ownerKeyId(userId: number): string {
  return `user:${userId}`;
}

/** Whether a key belongs to a person, and not to a record. */
export function isOwnerKeyId(id: string): boolean {
  return id.startsWith('user:');
}

interface CachedKey {
  readonly key: KeyObject;
  readonly checkedAt: number;
}

/** What {@link OwnerKeys} needs. */
interface OwnerKeysOptions {
  readonly keyStore: KeyStore;
  readonly serverKey: KeyObject;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/**
 * People's keys, unwrapped and cached. A key destroyed by this process is dropped at once; one destroyed by another process, within a
 * second. Asking the store again needs no decryption, because a key never changes.
 */
export class OwnerKeys {
  private readonly cache = new LRUCache<string, CachedKey>({ max: MAX_CACHED });
  /** Incremented by each destruction, so that a concurrent look-up caches nothing. */
  private destructions = 0;

  constructor(private readonly options: OwnerKeysOptions) {}

  /** Keys by id; null: the key was destroyed; absent: it never existed. */
  async load(ids: Iterable<string>): Promise<Map<string, KeyObject | null>> {
    const { keys, stale } = this.cached(ids);
    if (stale.length === 0) return keys;
    const { destructions } = this;
    const found = await this.options.keyStore.get(stale);
    for (const id of stale) {
      const wrapped = found.get(id);
      if (!wrapped) this.cache.delete(id);
      if (wrapped !== undefined) keys.set(id, wrapped && this.confirm(wrapped, destructions));
    }
    return keys;
  }

  /** Keys by id, created durably if they did not exist; null: the key was destroyed. */
  async obtain(ids: Iterable<string>): Promise<Map<string, KeyObject | null>> {
    const wanted = [...new Set(ids)];
    const keys = await this.load(wanted);
    const missing = wanted.filter((id) => !keys.has(id));
    if (missing.length === 0) return keys;
    const { destructions } = this;
    const { keyStore, serverKey } = this.options;
    const made = missing.map((id) => wrapKey(serverKey, { id, wrappedBy: null, key: randomBytes(32) }));
    const stored = await keyStore.putIfAbsent(made);
    for (const [index, id] of missing.entries()) {
      const wrapped = stored[index] ?? null;
      keys.set(id, wrapped && this.confirm(wrapped, destructions));
    }
    return keys;
  }

  async destroy(ids: readonly string[]): Promise<void> {
    this.forget(ids);
    await this.options.keyStore.destroy(ids);
    this.forget(ids);
  }

  /** Clears the cache. */
  forgetAll(): void {
    this.destructions++;
    this.cache.clear();
  }

  private forget(ids: readonly string[]): void {
    this.destructions++;
    for (const id of ids) this.cache.delete(id);
  }

  private cached(ids: Iterable<string>): {
    readonly keys: Map<string, KeyObject | null>;
    readonly stale: string[];
  } {
    const keys = new Map<string, KeyObject | null>();
    const stale = [];
    const oldest = this.options.now() - TRUSTED_FOR;
    for (const id of ids) {
      const entry = this.cache.get(id);
      if (entry !== undefined && entry.checkedAt > oldest) keys.set(id, entry.key);
      else stale.push(id);
    }
    return { keys, stale };
  }

  private confirm(wrapped: WrappedKey, destructions: number): KeyObject {
    const key =
      this.cache.peek(wrapped.id)?.key ?? createSecretKey(unwrapKey(this.options.serverKey, wrapped));
    if (destructions === this.destructions)
      this.cache.set(wrapped.id, { key, checkedAt: this.options.now() });
    return key;
  }
}
