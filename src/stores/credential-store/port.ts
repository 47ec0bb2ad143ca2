import type { SecondFactorStore } from './second-factor-port.js';
import { OperatorError } from '../../kernel/errors.js';

/** An API key as it is kept. */
export interface StoredApiKey {
  readonly userId: number;
  /** SHA-256 of the key, hexadecimal. */
  readonly digest: string;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  /** The key itself, encrypted, where its owner may read it again (bots); null otherwise. */
  readonly sealed: Uint8Array | null;
  /** Name of the client program that it was given to; null where that is not known. */
  readonly client: string | null;
  /** Milliseconds since the UNIX epoch, rounded as {@link CredentialStore.noteApiKeyUses} is called; null: never. */
  readonly lastUsedAt: number | null;
}

/** That a key was used. */
export interface ApiKeyUse {
  readonly digest: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/**
 * Password hashes, second factors, API keys and keys of devices: outside the log and the read models, part of every backup. Both adapters pass one contract
 * suite. Every method fails with {@link CredentialStoreUnavailableError} when the store cannot serve now.
 */
export interface CredentialStore {
  /** The argon2 hash of a person's password, or null. */
  passwordHash(userId: number): Promise<string | null>;
  setPasswordHash(userId: number, hash: string): Promise<void>;
  /** The same where there is none yet. False: there was one, which stays; of calls at once, one answers true. */
  addPasswordHash(userId: number, hash: string): Promise<boolean>;
  /** Where there is none, nothing changes. */
  removePasswordHash(userId: number): Promise<void>;
  /**
   * Adds a live key; an account may hold several.
   *
   * @throws DuplicateApiKeyError when a live key has this digest already
   */
  addApiKey(key: StoredApiKey): Promise<void>;
  /** The live key with this digest, or null. */
  findApiKey(digest: string): Promise<StoredApiKey | null>;
  /** The live keys of an account, oldest first; those of one millisecond in the order in which they were added. */
  apiKeys(userId: number): Promise<readonly StoredApiKey[]>;
  /** The live keys of many accounts together, each account's oldest first. */
  apiKeysOf(userIds: readonly number[]): Promise<readonly StoredApiKey[]>;
  /** Keeps the latest use of each key; of those that are not live, nothing. */
  noteApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /** Revokes one key; where none has this digest, nothing changes. */
  revokeApiKey(digest: string): Promise<void>;
  /**
   * Revokes every key of an account, and puts `replacement` (if any) in their place: no reader sees the one without the
   * other.
   *
   * @throws DuplicateApiKeyError when a live key has the replacement's digest; nothing is revoked then
   */
  revokeApiKeys(userId: number, replacement?: StoredApiKey): Promise<void>;
  /** What a device's notifications are encrypted with, itself encrypted; null when there is none. */
  deviceKey(deviceId: number): Promise<Uint8Array | null>;
  setDeviceKey(deviceId: number, sealed: Uint8Array): Promise<void>;
  /** Where there is none, nothing changes. */
  removeDeviceKey(deviceId: number): Promise<void>;
  readonly secondFactors: SecondFactorStore;
  close(): Promise<void>;
}

/** A live key has this digest already. The message names neither. */
export class DuplicateApiKeyError extends Error {
  override readonly name = 'DuplicateApiKeyError';
  constructor() {
    super('An API key with this digest exists already');
  }
}

/** The store cannot be reached or cannot write now. The message and its cause hold nothing that was to be stored. */
export class CredentialStoreUnavailableError extends OperatorError {
  override readonly name = 'CredentialStoreUnavailableError';
}
