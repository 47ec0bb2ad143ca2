import type { CredentialStore, StoredApiKey } from '../credential-store/port.js';
import type { Clock } from '../kernel/clock.js';
import type { Vault } from '../key-store/vault.js';
import { ApiKeyCache } from './api-key-cache.js';
import { apiKeyDigest, newApiKey } from './api-key.js';
import { hashPassword, verifyPassword } from './password-hashing.js';
import type { User } from './user.js';

/** A program that logs in on every run would otherwise fill the store. */
export const MAX_LIVE_KEYS = 100;

/** What {@link Credentials} works with. */
export interface CredentialsOptions {
  readonly store: CredentialStore;
  readonly vault: Pick<Vault, 'sealApiKey' | 'openApiKey'>;
  readonly clock: Clock;
}

/** Passwords and API keys of accounts. Keys are kept as digests; those of bots also encrypted, for their owners to read. */
export class Credentials {
  private readonly cache = new ApiKeyCache();

  constructor(private readonly options: CredentialsOptions) {}

  async setPassword(userId: number, password: string): Promise<void> {
    await this.options.store.setPasswordHash(userId, await hashPassword(password));
  }

  /** The same for an account that has none yet. False: it has one, which stays. */
  async setFirstPassword(userId: number, password: string): Promise<boolean> {
    return this.options.store.addPasswordHash(userId, await hashPassword(password));
  }

  /**
   * Whether the password is the account's. Takes as long when there is no such account, or when it has no password.
   *
   * @param userId null when there is no such account
   */
  async isPassword(userId: number | null, password: string): Promise<boolean> {
    const hashed = userId === null ? null : await this.options.store.passwordHash(userId);
    return verifyPassword(hashed, password);
  }

  /** Whether nobody could ever have logged in to the account: no password was set, and no key is live. */
  async hasNone(userId: number): Promise<boolean> {
    const { store } = this.options;
    return (await store.passwordHash(userId)) === null && (await store.apiKeys(userId)).length === 0;
  }

  /** Issues a further key. The oldest gives way where an account would hold more than {@link MAX_LIVE_KEYS}. */
  async issueKey(user: Pick<User, 'id' | 'bot'>): Promise<string> {
    const { store } = this.options;
    const key = newApiKey();
    const issued = this.stored(user, key);
    await store.addApiKey(issued);
    const others = (await store.apiKeys(user.id)).filter(({ digest }) => digest !== issued.digest);
    for (const { digest } of others.slice(0, 1 - MAX_LIVE_KEYS)) await store.revokeApiKey(digest);
    return key;
  }

  /** Revokes every key and issues one in their place. */
  async renewKey(user: Pick<User, 'id' | 'bot'>): Promise<string> {
    const key = newApiKey();
    await this.options.store.revokeApiKeys(user.id, this.stored(user, key));
    this.cache.forget(user.id);
    return key;
  }

  async revokeKeys(userIds: readonly number[]): Promise<void> {
    for (const userId of userIds) {
      await this.options.store.revokeApiKeys(userId);
      this.cache.forget(userId);
    }
  }

  /**
   * The newest keys of bots, by bot; those that have none are left out.
   *
   * @param since only keys that were issued no earlier: milliseconds since the UNIX epoch
   */
  async readableKeys(botIds: readonly number[], since = 0): Promise<ReadonlyMap<number, string>> {
    if (botIds.length === 0) return new Map();
    const { store, vault } = this.options;
    const readable = new Map<number, Uint8Array>();
    for (const { userId, createdAt, sealed } of await store.apiKeysOf(botIds)) {
      if (sealed !== null && createdAt >= since) readable.set(userId, sealed);
    }
    return new Map([...readable].map(([botId, sealed]) => [botId, vault.openApiKey(botId, sealed)]));
  }

  /** The account whose live key this is; null when it is none. A revocation on another node is noticed within a second. */
  ownerOf(key: string): Promise<number | null> {
    const digest = apiKeyDigest(key);
    return this.cache.ownerOf(
      digest,
      async () => (await this.options.store.findApiKey(digest))?.userId ?? null,
    );
  }

  private stored({ id: userId, bot }: Pick<User, 'id' | 'bot'>, key: string): StoredApiKey {
    const { clock, vault } = this.options;
    const sealed = bot === null ? null : vault.sealApiKey(userId, key);
    return { userId, digest: apiKeyDigest(key), createdAt: clock.now(), sealed };
  }
}
