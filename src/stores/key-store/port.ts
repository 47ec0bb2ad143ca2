import { OperatorError } from '../../kernel/errors.js';

/** A data key as it is kept: encrypted under its owner's key, or under the server's key when it has no owner. */
export interface WrappedKey {
  /** For a record: the id of the event that first used it. For a person: `user:<id>`. */
  readonly id: string;
  /** The key that wraps this one; null: the server's key. */
  readonly wrappedBy: string | null;
  /** Initialisation vector, ciphertext and tag of AES-256-GCM. */
  readonly wrapped: Uint8Array;
}

/**
 * Where the keys of erasable content live: apart from the log, durable before the append that needs them. Both adapters
 * pass one contract suite. Every method fails with {@link KeyStoreUnavailableError} when the store cannot serve now.
 */
export interface KeyStore {
  /**
   * Makes keys durable; calls that wait together are written together. A key that exists stays as it is, and is what is
   * answered in its place; a destroyed key stays destroyed and is answered as null.
   */
  putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]>;
  /** Keys by id: null where the key was destroyed, absent where there never was one. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>>;
  /**
   * Destroys keys for good: what the store holds of them is overwritten, and the ids are never used again, whether or
   * not there was a key. Doing it again changes nothing. Backups and a database server's own journal keep their copies
   * for as long as they are kept.
   */
  destroy(ids: readonly string[]): Promise<void>;
  /** Keys that the server's key wraps, by id behind `after`, at most `limit` of them; destroyed ones are left out. */
  wrappedByServer(after: string, limit: number): Promise<readonly WrappedKey[]>;
  /** Replaces what stands of keys by the same keys wrapped anew. One that was destroyed stays so, and none is made. */
  rewrap(keys: readonly WrappedKey[]): Promise<void>;
  /** What was last written under a name; null: nothing was. */
  readNote(name: string): Promise<string | null>;
  /**
   * Makes a short text durable in place of what stood under its name. It is no secret, and no key: whoever reads it finds out by
   * itself whether it is genuine.
   */
  writeNote(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** The keys of a log that was begun are not there. */
export class KeysMissingError extends OperatorError {
  override readonly name = 'KeysMissingError';
  constructor() {
    super(
      'The key store is empty, but the event log is not: nothing that people wrote can be read without its keys, so restore keys.sqlite (or the database of MONGODB_URL) first',
    );
  }
}

/** The store cannot be reached or cannot write now: nothing is known about the outcome of a write. */
export class KeyStoreUnavailableError extends OperatorError {
  override readonly name = 'KeyStoreUnavailableError';
}
