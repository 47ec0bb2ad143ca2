import { OperatorError } from '../../kernel/errors.js';

/** A data key as stored: encrypted under its owner's key, or under the server's key if it has no owner. */
export interface WrappedKey {
  /** For a record: the id of its first event. For a person: `user:<id>`. */
  readonly id: string;
  /** Id of the wrapping key; null: the server's key. */
  readonly wrappedBy: string | null;
  /** Initialisation vector, ciphertext and tag of AES-256-GCM. */
  readonly wrapped: Uint8Array;
}

/**
 * Stores the keys of erasable content: apart from the log, and durable before the append that needs them. Both adapters pass one contract
 * suite. Every method fails with {@link KeyStoreUnavailableError} when the store is unavailable.
 */
export interface KeyStore {
  /**
   * Stores keys durably; concurrent calls are written together. If a key with the id exists, it stays and is returned instead. A destroyed
   * key stays destroyed, and null is returned.
   */
  putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]>;
  /** Keys by id; null: the key was destroyed; absent: it never existed. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>>;
  /**
   * Destroys keys permanently: the stored bytes are overwritten, and the ids can never be used again, whether or not there was a key. A
   * second time has no effect. Backups and the journal of a database server keep copies until they are removed.
   */
  destroy(ids: readonly string[]): Promise<void>;
  /** Keys that the server's key wraps, with ids after `after`, at most `limit` of them, without destroyed ones. */
  wrappedByServer(after: string, limit: number): Promise<readonly WrappedKey[]>;
  /** Replaces keys by the same keys under another wrapping key. Destroyed keys stay destroyed, and no key is created. */
  rewrap(keys: readonly WrappedKey[]): Promise<void>;
  /** The note with a name; null: there is none. */
  readNote(name: string): Promise<string | null>;
  /** Stores a short text durably, replacing the one with the same name. It is not secret, and its reader must check that it is authentic. */
  writeNote(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** The keys of an existing log are missing. */
export class KeysMissingError extends OperatorError {
  override readonly name = 'KeysMissingError';
  constructor() {
    super(
      'The key store is empty, but the event log is not: nothing that people wrote can be read without its keys, so restore keys.sqlite (or the database of MONGODB_URL) first',
    );
  }
}

/** The store cannot be reached, or cannot write: the outcome of a write is unknown. */
export class KeyStoreUnavailableError extends OperatorError {
  override readonly name = 'KeyStoreUnavailableError';
}
