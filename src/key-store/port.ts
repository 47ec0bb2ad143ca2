/** A data key as it is kept: encrypted under its owner's key, or under the server's key when it has no owner. */
export interface WrappedKey {
  /** For a record: the id of the event that first used it. For a person: `user:<id>`. */
  readonly id: string;
  /** The key that wraps this one; null: the server's key. */
  readonly wrappedBy: string | null;
  /** Initialisation vector, ciphertext and tag of AES-256-GCM. */
  readonly wrapped: Uint8Array;
}

/** Where the keys of erasable content live: apart from the log, durable before the append that needs them. */
export interface KeyStore {
  /**
   * Makes keys durable; calls that wait together are written together. A key that exists stays as it is, and is what is
   * answered in its place; a destroyed key stays destroyed and is answered as null.
   */
  putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]>;
  /** The keys that exist, by id; destroyed and unknown ones are absent. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey>>;
  /** Destroys keys for good: their bytes are overwritten, and the ids are never used again. */
  destroy(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
