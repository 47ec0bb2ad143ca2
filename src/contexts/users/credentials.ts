import { budgets } from '../../kernel/budgets.js';
import type { CredentialStore, StoredApiKey } from '../../stores/credential-store/port.js';
import type { Clock } from '../../kernel/clock.js';
import type { Vault } from '../../stores/key-store/vault.js';
import { ApiKeyCache, apiKeyDigest, apiKeyId, keysToRevoke, KeyUses, newApiKey } from './api-keys.js';
import { hashPassword, verifyPassword } from './password-hashing.js';
import type { User } from '../../access/records/user.js';

/** What {@link Credentials} depends on. */
interface CredentialsOptions {
  readonly store: CredentialStore;
  readonly vault: Pick<Vault, 'encryptApiKey' | 'decryptApiKey' | 'linkDigest'>;
  readonly clock: Clock;
  /** Called with the error when the last use of a key could not be stored. */
  readonly onLost: (error: unknown) => void;
}

/** The account that a key is issued to. */
type KeyOwner = Pick<User, 'id' | 'bot'>;

/** A key that was just issued. */
interface NewKey {
  readonly key: string;
  /** Its id in the account's list of keys. */
  readonly id: string;
  /** Ids of the keys that were revoked because the account had too many. */
  readonly displacedIds: readonly string[];
}

/**
 * Passwords and API keys of accounts. Keys are stored as digests; those of bots also encrypted, so that their
 * owners can read them.
 */
export class Credentials {
  private readonly cache = new ApiKeyCache();

  /** When keys were last used. */
  readonly uses: KeyUses;

  constructor(private readonly options: CredentialsOptions) {
    this.uses = new KeyUses(options);
  }

  /** Pending uses of keys are stored before the store is closed. */
  async onModuleDestroy(): Promise<void> {
    await this.uses.idle();
  }

  async setPassword(userId: number, password: string): Promise<void> {
    await this.options.store.setPasswordHash(userId, await hashPassword(password));
  }

  /** Sets the password of an account that has none. Returns false if it has one, which stays. */
  async setFirstPassword(userId: number, password: string): Promise<boolean> {
    return this.options.store.addPasswordHash(userId, await hashPassword(password));
  }

  /**
   * Whether the password is the account's. Takes the same time if the account or its password does not exist.
   *
   * @param userId null when there is no such account
   * @param requester see {@link verifyPassword}
   */
  async isPassword(
    userId: number | null,
    password: string,
    requester: string | null = null,
  ): Promise<boolean> {
    const hashed = userId === null ? null : await this.options.store.passwordHash(userId);
    return verifyPassword(hashed, password, requester);
  }

  /** Whether nobody can ever have logged in to the account: it has no password and no live key. */
  async hasNone(userId: number): Promise<boolean> {
    const { store } = this.options;
    return (await store.passwordHash(userId)) === null && (await store.apiKeys(userId)).length === 0;
  }

  /**
   * Issues an additional key. If the account would have more than the budget `apiKeysOfAccount`, another key
   * is revoked: see {@link keysToRevoke}.
   *
   * @param client name of the client program; null if the receiver of the key did not request it
   */
  async issueKey(user: KeyOwner, client: string | null): Promise<NewKey> {
    const { store } = this.options;
    const key = newApiKey();
    const issued = this.stored(user, key, client);
    await store.addApiKey(issued);
    const ended = keysToRevoke(await store.apiKeys(user.id), issued, budgets.apiKeysOfAccount.max);
    for (const { digest } of ended) await store.revokeApiKey(digest);
    if (ended.length > 0) this.cache.forget(user.id);
    return { key, id: apiKeyId(issued.digest), displacedIds: ended.map(({ digest }) => apiKeyId(digest)) };
  }

  /** The records of an account's live keys, oldest first, without the keys themselves. */
  liveKeys(userId: number): Promise<readonly StoredApiKey[]> {
    return this.options.store.apiKeys(userId);
  }

  /** Revokes one key of an account. */
  async revokeKey({ userId, digest }: Pick<StoredApiKey, 'userId' | 'digest'>): Promise<void> {
    await this.options.store.revokeApiKey(digest);
    this.cache.forget(userId);
  }

  /** Revokes all keys and issues a new one. */
  async renewKey(user: KeyOwner, client: string | null): Promise<string> {
    const key = newApiKey();
    await this.options.store.revokeApiKeys(user.id, this.stored(user, key, client));
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
   * The newest keys of bots, by bot; bots without a key are left out.
   *
   * @param since only keys that were issued at or after this time, in milliseconds since the UNIX epoch
   */
  async readableKeys(botIds: readonly number[], since = 0): Promise<ReadonlyMap<number, string>> {
    if (botIds.length === 0) return new Map();
    const { store, vault } = this.options;
    const readable = new Map<number, Uint8Array>();
    for (const { userId, createdAt, sealed } of await store.apiKeysOf(botIds)) {
      if (sealed !== null && createdAt >= since) readable.set(userId, sealed);
    }
    return new Map([...readable].map(([botId, sealed]) => [botId, vault.decryptApiKey(botId, sealed)]));
  }

  /** The token by which the receiver recognizes requests of an outgoing webhook bot; constant for a bot. */
  serviceToken(botId: number): string {
    return this.options.vault.linkDigest('outgoing webhook', String(botId)).slice(0, 32);
  }

  /**
   * Ids of those of the accounts with a key that was used or issued at or after a time, in milliseconds since
   * the UNIX epoch.
   */
  async activeSince(userIds: readonly number[], since: number): Promise<ReadonlySet<number>> {
    const keys = userIds.length === 0 ? [] : await this.options.store.apiKeysOf(userIds);
    const active = keys.filter(({ createdAt, lastUsedAt }) => Math.max(createdAt, lastUsedAt ?? 0) >= since);
    return new Set(active.map(({ userId }) => userId));
  }

  /**
   * The account that a live key belongs to; null if there is none. A revocation on another node takes effect
   * within a second.
   */
  ownerOf(key: string): Promise<number | null> {
    const digest = apiKeyDigest(key);
    return this.cache.ownerOf(digest, async () => {
      const found = await this.options.store.findApiKey(digest);
      if (found === null) return null;
      this.uses.note(found);
      return found.userId;
    });
  }

  private stored({ id: userId, bot }: KeyOwner, key: string, client: string | null): StoredApiKey {
    const { clock, vault } = this.options;
    const sealed = bot === null ? null : vault.encryptApiKey(userId, key);
    return { userId, digest: apiKeyDigest(key), createdAt: clock.now(), sealed, client, lastUsedAt: null };
  }
}
