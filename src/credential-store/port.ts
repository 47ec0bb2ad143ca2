/** An API key as it is kept. */
export interface StoredApiKey {
  readonly userId: number;
  /** SHA-256 of the key, hexadecimal. */
  readonly digest: string;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  /** The key itself, encrypted, where its owner may read it again (bots); null otherwise. */
  readonly sealed: Uint8Array | null;
}

/** Password hashes and API keys: outside the log and the read models, part of every backup. */
export interface CredentialStore {
  /** The argon2 hash of a person's password, or null. */
  passwordHash(userId: number): Promise<string | null>;
  setPasswordHash(userId: number, hash: string): Promise<void>;
  /** Adds a live key; an account may hold several. */
  addApiKey(key: StoredApiKey): Promise<void>;
  /** The live key with this digest, or null. */
  findApiKey(digest: string): Promise<StoredApiKey | null>;
  /** The live keys of an account, oldest first. */
  apiKeys(userId: number): Promise<readonly StoredApiKey[]>;
  /** Revokes every key of an account, and puts `replacement` (if any) in their place, atomically. */
  revokeApiKeys(userId: number, replacement?: StoredApiKey): Promise<void>;
  close(): Promise<void>;
}
