import { derivedKey } from './envelope.js';
import { KeyDestroyedError, KeyMissingError, type KeyRequest, type RecordKeys } from './record-keys.js';

/** A file's key is derived from the record key with its id. */
const PURPOSE = 'palimpsest file';

/** The new key of a file. */
export interface NewFileKey {
  readonly key: Uint8Array;
  /**
   * Stores it: it is durable when this resolves. Before that, nobody could read the file again.
   *
   * @throws KeyDestroyedError
   */
  keep(): Promise<void>;
}

/**
 * Makes the key of a file.
 *
 * @param request the key's id, which is new, and the person whose key wraps it; null: the server's key does
 * @throws KeyDestroyedError
 */
export async function newFileKey(
  recordKeys: RecordKeys,
  { keyId, owner }: Pick<KeyRequest, 'keyId' | 'owner'>,
): Promise<NewFileKey> {
  const made = await recordKeys.make([{ eventId: keyId, keyId, owner }]);
  const [recordKey] = made.values();
  if (recordKey === undefined) throw new KeyDestroyedError(keyId);
  return {
    key: derivedKey(recordKey, PURPOSE),
    keep: async () => {
      const kept = (await recordKeys.keep(made)).get(keyId);
      if (kept !== recordKey) throw new KeyDestroyedError(keyId);
    },
  };
}

/**
 * The key of a file; null: it or its owner's key was destroyed.
 *
 * @throws KeyMissingError
 */
export async function fileKey(recordKeys: RecordKeys, keyId: string): Promise<Uint8Array | null> {
  const key = (await recordKeys.load([keyId])).get(keyId);
  if (key === undefined) throw new KeyMissingError(keyId);
  return key && derivedKey(key, PURPOSE);
}
