import { OperatorError } from '../../kernel/errors.js';

/** A stored second factor. */
export interface StoredSecondFactor {
  /** The encrypted secret of the one-time passwords. */
  readonly sealed: Uint8Array;
  /** False: the person has not yet confirmed to have the secret, and it is not required. */
  readonly isEnabled: boolean;
  /** The last time step whose password was used; -1: none. */
  readonly lastStep: number;
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
}

/** The initial data of an enabled second factor. */
export interface EnabledSecondFactor {
  /** The encrypted secret that the person was shown. */
  readonly sealed: Uint8Array;
  /** Time step of the password that confirmed it. */
  readonly lastStep: number;
  /** Keyed digests of the recovery codes, all different. */
  readonly recoveryDigests: readonly string[];
}

/** Second factors, at most one per account: a part of the credential store. Each method is atomic, also under concurrent calls. */
export interface SecondFactorStore {
  find(userId: number): Promise<StoredSecondFactor | null>;
  /** Stores a secret to be confirmed, and replaces an unconfirmed one. False: the account has an enabled factor, which stays. */
  begin(userId: number, sealed: Uint8Array): Promise<boolean>;
  /** Enables the unconfirmed secret. False: it is missing, differs, or is already enabled. */
  enable(userId: number, factor: EnabledSecondFactor): Promise<boolean>;
  /** Marks a time step as used. False: it or a later one was used before. Of concurrent calls, one returns true. */
  takeStep(userId: number, step: number): Promise<boolean>;
  /** Uses up a recovery code. False: there is no unused one with this digest. Of concurrent calls, one returns true. */
  takeRecoveryCode(userId: number, digest: string): Promise<boolean>;
  /** No effect if there is none. */
  remove(userId: number): Promise<void>;
}

/** A stored API key. */
export interface StoredApiKey {
  readonly userId: number;
  /** SHA-256 of the key, hexadecimal. */
  readonly digest: string;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  /** The encrypted key, if its owner may read it again (bots); null otherwise. */
  readonly sealed: Uint8Array | null;
  /** Name of the client program that it was issued to; null: unknown. */
  readonly client: string | null;
  /** Milliseconds since the UNIX epoch, as precise as {@link CredentialStore.noteApiKeyUses} is called; null: never used. */
  readonly lastUsedAt: number | null;
}

/** The time at which a key was used. */
export interface ApiKeyUse {
  readonly digest: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/**
 * Password hashes, second factors, API keys and device keys: outside of the log and the read models, part of every backup. Both adapters
 * pass one contract suite. Every method fails with {@link CredentialStoreUnavailableError} when the store is unavailable.
 */
export interface CredentialStore {
  /** The argon2 hash of a person's password; null: there is none. */
  passwordHash(userId: number): Promise<string | null>;
  setPasswordHash(userId: number, hash: string): Promise<void>;
  /** Sets the hash unless there is one. False: there already was one, which stays. Of concurrent calls, one returns true. */
  addPasswordHash(userId: number, hash: string): Promise<boolean>;
  /** No effect if there is none. */
  removePasswordHash(userId: number): Promise<void>;
  /**
   * Adds a valid key; an account may have several.
   *
   * @throws DuplicateApiKeyError when a valid key has this digest
   */
  addApiKey(key: StoredApiKey): Promise<void>;
  /** The valid key with this digest; null: there is none. */
  findApiKey(digest: string): Promise<StoredApiKey | null>;
  /** The valid keys of an account, oldest first; keys of the same millisecond in the order in which they were added. */
  apiKeys(userId: number): Promise<readonly StoredApiKey[]>;
  /** The valid keys of several accounts, each account's oldest first. */
  apiKeysOf(userIds: readonly number[]): Promise<readonly StoredApiKey[]>;
  /** Stores the latest use of each key; revoked keys are ignored. */
  noteApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /** Revokes one key; no effect if there is none with this digest. */
  revokeApiKey(digest: string): Promise<void>;
  /**
   * Revokes all keys of an account and adds `replacement`, if given. No reader sees one change without the other.
   *
   * @throws DuplicateApiKeyError when a valid key has the replacement's digest; then nothing is revoked
   */
  revokeApiKeys(userId: number, replacement?: StoredApiKey): Promise<void>;
  /** The encrypted key for a device's notifications; null: there is none. */
  deviceKey(deviceId: number): Promise<Uint8Array | null>;
  setDeviceKey(deviceId: number, sealed: Uint8Array): Promise<void>;
  /** No effect if there is none. */
  removeDeviceKey(deviceId: number): Promise<void>;
  readonly secondFactors: SecondFactorStore;
  close(): Promise<void>;
}

/** A valid key already has this digest. The message contains neither of them. */
export class DuplicateApiKeyError extends Error {
  override readonly name = 'DuplicateApiKeyError';
  constructor() {
    super('An API key with this digest exists already');
  }
}

/** The store cannot be reached, or cannot write. Neither the message nor the cause contains stored data. */
export class CredentialStoreUnavailableError extends OperatorError {
  override readonly name = 'CredentialStoreUnavailableError';
}
