import { createHmac } from 'node:crypto';
import { nameKey } from '../../kernel/text.js';
import { decrypt, derivedKey, encrypt, EnvelopeError } from './envelope.js';
import { fileKey, newFileKey, type NewFileKey } from './file-keys.js';
import { isOwnerKeyId, OwnerKeys, ownerKeyId } from './owner-keys.js';
import type { KeyStore } from './port.js';
import { KeyDestroyedError, KeyMissingError, RecordKeys, type KeyRequest } from './record-keys.js';
import { ServerKeyCheck } from './server-key-check.js';
import type { ServerKey } from './server-key.js';
import { SnapshotKeys } from './snapshot-keys.js';

/** The erasable part of an event, before encryption. */
export interface PlainRecord extends KeyRequest {
  readonly eventType: string;
  readonly content: string;
}

/** The erasable part of an event, as stored. */
export interface EncryptedRecord extends Pick<PlainRecord, 'eventId' | 'eventType' | 'keyId'> {
  readonly sealed: Uint8Array;
}

/** The parts of the server's key that a vault uses. */
export type VaultKeys = Pick<ServerKey, 'wrapping' | 'lookup' | 'credentials' | 'links'>;

/** What {@link Vault} needs. */
interface VaultOptions {
  readonly keyStore: KeyStore;
  readonly serverKey: VaultKeys;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Erasable content cannot be decrypted although its key exists: the log was changed. */
export class RecordDecryptionError extends Error {
  override readonly name = 'RecordDecryptionError';
  constructor(readonly eventId: string) {
    super(`The erasable content of event ${eventId} was changed after it was written`);
  }
}

/**
 * Envelope encryption of erasable content: AES-256-GCM under a key per record, which is wrapped by its owner's key, which is wrapped by the
 * server's key. Content is bound to its event's id and type.
 *
 * Methods fail with KeyStoreUnavailableError when the key store is unavailable.
 */
export class Vault {
  private readonly keyStore: KeyStore;
  private readonly serverKey: VaultKeys;
  private readonly ownerKeys: OwnerKeys;
  private readonly recordKeys: RecordKeys;
  private readonly snapshotKeys: SnapshotKeys;
  private readonly serverKeyCheck: ServerKeyCheck;

  constructor({ keyStore, serverKey, now = () => performance.now() }: VaultOptions) {
    this.keyStore = keyStore;
    this.serverKey = serverKey;
    this.serverKeyCheck = new ServerKeyCheck(keyStore, serverKey.wrapping);
    this.ownerKeys = new OwnerKeys({ keyStore, serverKey: serverKey.wrapping, now });
    this.recordKeys = new RecordKeys({ keyStore, serverKey: serverKey.wrapping, ownerKeys: this.ownerKeys });
    const { recordKeys, ownerKeys } = this;
    this.snapshotKeys = new SnapshotKeys({ recordKeys, ownerKeys });
  }

  /**
   * Checks, at a start, that the key store was written with this server key.
   *
   * @param options `requireExisting`: an empty key store is an error
   * @throws KeyUnwrapError when it was written with another one, KeysMissingError
   */
  async checkServerKey({ requireExisting }: { readonly requireExisting: boolean }): Promise<void> {
    await this.serverKeyCheck.check({ requireExisting });
  }

  /**
   * Whether the log's events have tags. A key in the key store says so. It is wrapped under the server's key, so nobody can set or remove
   * the mark without that key.
   *
   * @throws KeysMissingError when neither mark exists
   */
  async isTagged(): Promise<boolean> {
    return this.serverKeyCheck.isTagged();
  }

  /** Records that events have tags: see {@link isTagged}. */
  async markTagged(): Promise<void> {
    await this.serverKeyCheck.markTagged();
  }

  /**
   * Encrypts records, one for one. New keys are durable before this resolves. An existing key (a message's for its edit, or one that an
   * earlier attempt created) is reused.
   *
   * @throws KeyDestroyedError
   */
  async encrypt(records: readonly PlainRecord[]): Promise<Buffer[]> {
    const keys = await this.recordKeys.obtain(records);
    return records.map((record) => {
      const key = keys.get(record.keyId);
      if (!key) throw new KeyDestroyedError(record.keyId);
      return encrypt(key, { plaintext: record.content, boundTo: bindingOf(record) });
    });
  }

  /**
   * Decrypts records, one for one; null: the record's key or its owner's key was destroyed.
   *
   * @throws RecordDecryptionError, KeyUnwrapError, KeyMissingError
   */
  async decrypt(records: readonly EncryptedRecord[]): Promise<(Buffer | null)[]> {
    const keys = await this.recordKeys.load(records.map((record) => record.keyId));
    return records.map((record) => {
      const key = keys.get(record.keyId);
      if (key === undefined) throw new KeyMissingError(record.keyId);
      return key && openUnder(key, record);
    });
  }

  /**
   * Destroys keys of records or (by {@link ownerKeyId}) of people. Their content is erased, in this process at once and in others within a
   * second. Destroying a person's key also destroys that of all snapshots, which may contain the person's data.
   */
  destroy(keyIds: readonly string[]): Promise<void> {
    return keyIds.some(isOwnerKeyId) ? this.snapshotKeys.destroyWith(keyIds) : this.ownerKeys.destroy(keyIds);
  }

  /** The id of the key for snapshots of what is read from the log after this call. */
  snapshotKeyId(): Promise<string> {
    return this.snapshotKeys.currentId();
  }

  /** The key of a snapshot; null: it was destroyed, or is not in this key store. */
  async snapshotKey(id: string): Promise<Uint8Array | null> {
    const key = await this.snapshotKeys.load(id);
    return key && derivedKey(key, 'palimpsest snapshots');
  }

  /** The key to encrypt a snapshot with, durable when this resolves; null: it was destroyed in the meantime. */
  async obtainSnapshotKey(id: string): Promise<Uint8Array | null> {
    const key = await this.snapshotKeys.obtain(id);
    return key && derivedKey(key, 'palimpsest snapshots');
  }

  /** Whether all of these keys were destroyed. */
  async areDestroyed(keyIds: readonly string[]): Promise<boolean> {
    const found = await this.keyStore.get(keyIds);
    return keyIds.every((id) => found.get(id) === null);
  }

  /** See {@link newFileKey}. */
  newFileKey(keyId: string, owner: number | null): Promise<NewFileKey> {
    return newFileKey(this.recordKeys, { keyId, owner });
  }

  /** See {@link fileKey}. */
  fileKey(keyId: string): Promise<Uint8Array | null> {
    return fileKey(this.recordKeys, keyId);
  }

  /** The digest by which e-mail addresses are looked up: HMAC-SHA-256, hexadecimal, of {@link nameKey}. */
  emailDigest(email: string): string {
    return createHmac('sha256', this.serverKey.lookup).update(nameKey(email)).digest('hex');
  }

  /** A digest for comparing texts of people: HMAC-SHA-256, hexadecimal. Without the server's key, nobody can use it to check a guess of the text. */
  textDigest(text: string): string {
    return createHmac('sha256', this.serverKey.lookup).update(`text\n${text}`).digest('hex');
  }

  /** The MAC of a link created here: HMAC-SHA-256, base64url, of its purpose and name. */
  linkDigest(purpose: string, name: string): string {
    return createHmac('sha256', this.serverKey.links).update(`${purpose}\n${name}`).digest('base64url');
  }

  /** Encrypts an API key that its owner may read again, bound to the account. */
  encryptApiKey(userId: number, apiKey: string): Buffer {
    return encrypt(this.serverKey.credentials, { plaintext: apiKey, boundTo: apiKeyBinding(userId) });
  }

  /** @throws EnvelopeError when it was encrypted for another account, or under another server key */
  decryptApiKey(userId: number, sealed: Uint8Array): string {
    return decrypt(this.serverKey.credentials, { sealed, boundTo: apiKeyBinding(userId) }).toString('utf8');
  }

  /** Encrypts the key for a device's notifications, bound to the device. */
  encryptDeviceKey(deviceId: number, key: Uint8Array): Buffer {
    const plaintext = Buffer.from(key).toString('base64');
    return encrypt(this.serverKey.credentials, { plaintext, boundTo: `key of device ${deviceId}` });
  }

  /** @throws EnvelopeError when it was encrypted for another device, or under another server key */
  decryptDeviceKey(deviceId: number, sealed: Uint8Array): Uint8Array {
    const text = decrypt(this.serverKey.credentials, { sealed, boundTo: `key of device ${deviceId}` });
    return Buffer.from(text.toString('utf8'), 'base64');
  }

  /** Encrypts the secret of a second factor, bound to the account. */
  encryptSecondFactor(userId: number, secret: string): Buffer {
    const boundTo = `second factor of ${ownerKeyId(userId)}`;
    return encrypt(this.serverKey.credentials, { plaintext: secret, boundTo });
  }

  /** @throws EnvelopeError when it was encrypted for another account, or under another server key */
  decryptSecondFactor(userId: number, sealed: Uint8Array): string {
    const boundTo = `second factor of ${ownerKeyId(userId)}`;
    return decrypt(this.serverKey.credentials, { sealed, boundTo }).toString('utf8');
  }
}

function openUnder(key: Uint8Array, record: EncryptedRecord): Buffer {
  try {
    return decrypt(key, { sealed: record.sealed, boundTo: bindingOf(record) });
  } catch (error) {
    throw error instanceof EnvelopeError ? new RecordDecryptionError(record.eventId) : error;
  }
}

function bindingOf({ eventId, eventType }: Pick<PlainRecord, 'eventId' | 'eventType'>): string {
  return `event ${eventId} ${eventType}`;
}

function apiKeyBinding(userId: number): string {
  return `api key of ${ownerKeyId(userId)}`;
}
