import { unwrapKey, wrapKey } from './key-wrapping.js';
import { ownerKeyId, type OwnerKeys } from './owner-keys.js';
import type { KeyStore, WrappedKey } from './port.js';
import { randomKey, type DataKey } from './envelope.js';

/** The key to encrypt a record with. */
export interface KeyRequest {
  readonly eventId: string;
  /** Id of the record's key: for the first event of a record, the event's own id. */
  readonly keyId: string;
  /** The person whose key wraps a new record's key; null: the server's key does. */
  readonly owner: number | null;
}

/** The key of a record or of its owner was destroyed, so nothing can be written with it. */
export class KeyDestroyedError extends Error {
  override readonly name = 'KeyDestroyedError';
  constructor(readonly keyId: string) {
    super(`The key ${keyId} was destroyed`);
  }
}

/** The key store does not know the key of a stored record, so it belongs to another log. */
export class KeyMissingError extends Error {
  override readonly name = 'KeyMissingError';
  constructor(readonly keyId: string) {
    super(`The key store never had the key ${keyId}: restore the one that belongs to this log`);
  }
}

/** What {@link RecordKeys} needs. */
interface RecordKeysOptions {
  readonly keyStore: KeyStore;
  readonly serverKey: DataKey;
  readonly ownerKeys: OwnerKeys;
}

/** Keys by id; null: the record's or its owner's key was destroyed; absent: it never existed. */
type KeysById = Map<string, Uint8Array | null>;

/** The keys of records: read and created in batches, never cached. */
export class RecordKeys {
  constructor(private readonly options: RecordKeysOptions) {}

  /** Keys of stored records, by id. */
  async load(ids: Iterable<string>): Promise<KeysById> {
    const found = await this.options.keyStore.get([...new Set(ids)]);
    const keys = await this.unwrapAll(found.values());
    for (const [id, key] of found) if (key === null) keys.set(id, null);
    return keys;
  }

  /** Keys of records to be written, by id; new ones are durable when this resolves. */
  async obtain(requests: readonly KeyRequest[]): Promise<KeysById> {
    const later = requests.filter(({ keyId, eventId }) => keyId !== eventId);
    const keys: KeysById =
      later.length === 0 ? new Map<string, null>() : await this.load(later.map(({ keyId }) => keyId));
    const missing = requests.filter(({ keyId }) => !keys.has(keyId));
    if (missing.length > 0)
      for (const [id, key] of await this.keep(await this.make(missing))) keys.set(id, key);
    return keys;
  }

  /** New keys, which are not stored yet: see {@link RecordKeys.keep}. */
  async make(requests: readonly KeyRequest[]): Promise<ReadonlyMap<WrappedKey, Uint8Array>> {
    const { ownerKeys, serverKey } = this.options;
    const owners = await ownerKeys.obtain(
      requests.flatMap(({ owner }) => (owner === null ? [] : ownerKeyId(owner))),
    );
    const made = new Map<WrappedKey, Uint8Array>();
    for (const { keyId: id, owner } of requests) {
      const wrappedBy = owner === null ? null : ownerKeyId(owner);
      const wrapping = wrappedBy === null ? serverKey : owners.get(wrappedBy);
      if (!wrapping) throw new KeyDestroyedError(wrappedBy ?? id);
      const key = randomKey();
      made.set(wrapKey(wrapping, { id, wrappedBy, key }), key);
    }
    return made;
  }

  /**
   * Stores new keys: they are durable when this resolves. The stored key is returned, because another process, or an
   * earlier attempt, may have stored one with the same id.
   */
  async keep(made: ReadonlyMap<WrappedKey, Uint8Array>): Promise<KeysById> {
    const stored = await this.options.keyStore.putIfAbsent([...made.keys()]);
    const others = stored.filter((key) => key !== null && !made.has(key));
    const keys: KeysById = others.length === 0 ? new Map<string, null>() : await this.unwrapAll(others);
    let index = 0;
    for (const [wrapped, key] of made) {
      if (stored[index++] === wrapped) keys.set(wrapped.id, key);
      else if (!keys.has(wrapped.id)) keys.set(wrapped.id, null);
    }
    return keys;
  }

  private async unwrapAll(found: Iterable<WrappedKey | null>): Promise<KeysById> {
    const { ownerKeys, serverKey } = this.options;
    const wrapped = [...found].filter((key) => key !== null);
    const owners = await ownerKeys.load(new Set(wrapped.flatMap(({ wrappedBy }) => wrappedBy ?? [])));
    const keys: KeysById = new Map();
    for (const key of wrapped) {
      const wrapping = key.wrappedBy === null ? serverKey : owners.get(key.wrappedBy);
      if (wrapping === undefined) throw new KeyMissingError(key.wrappedBy ?? key.id);
      keys.set(key.id, wrapping && unwrapKey(wrapping, key));
    }
    return keys;
  }
}
