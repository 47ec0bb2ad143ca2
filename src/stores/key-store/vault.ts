import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { nameKey } from '../../kernel/text.js';
import { decrypt, encrypt, EnvelopeError } from './envelope.js';
import { unwrapKey, wrapKey } from './key-wrapping.js';
import { isOwnerKeyId, OwnerKeys, ownerKeyId } from './owner-keys.js';
import { KeysMissingError, type KeyStore, type WrappedKey } from './port.js';
import { KeyDestroyedError, KeyMissingError, RecordKeys, type KeyRequest } from './record-keys.js';
import type { ServerKey } from './server-key.js';
import { SnapshotKeys } from './snapshot-keys.js';

/** Erasable content of an event, before encryption. */
export interface PlainRecord extends KeyRequest {
  readonly eventType: string;
  readonly content: string;
}

/** Erasable content of an event as it is stored. */
export interface SealedRecord extends Pick<PlainRecord, 'eventId' | 'eventType' | 'keyId'> {
  readonly sealed: Uint8Array;
}

/** What of the server's key a vault uses. */
export type VaultKeys = Pick<ServerKey, 'wrapping' | 'lookup' | 'credentials' | 'links'>;

/** What {@link Vault} works with. */
export interface VaultOptions {
  readonly keyStore: KeyStore;
  readonly serverKey: VaultKeys;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** Erasable content does not open though its key is there: the log was changed. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
  constructor(readonly eventId: string) {
    super(`The erasable content of event ${eventId} was changed after it was written`);
  }
}

/** By which the key store of a log without tags is recognised, and that of a log with tags. */
const PLAIN_CHECK = 'server-key-check';
const TAGGED_CHECK = 'server-key-check-tagged';

/** Ids of the keys that nothing is encrypted under: they open under the server's key, or it is another. */
export const serverKeyChecks = [PLAIN_CHECK, TAGGED_CHECK] as const;

/**
 * Envelope encryption of erasable content: AES-256-GCM under a key per record, wrapped by its owner's key, wrapped by the
 * server's key. Content is bound to its event's id and type, so it opens nowhere else.
 *
 * Methods fail with KeyStoreUnavailableError when the key store cannot serve.
 */
export class Vault {
  private readonly keyStore: KeyStore;
  private readonly serverKey: VaultKeys;
  private readonly ownerKeys: OwnerKeys;
  private readonly recordKeys: RecordKeys;
  private readonly snapshotKeys: SnapshotKeys;

  constructor({ keyStore, serverKey, now = () => performance.now() }: VaultOptions) {
    this.keyStore = keyStore;
    this.serverKey = serverKey;
    this.ownerKeys = new OwnerKeys({ keyStore, serverKey: serverKey.wrapping, now });
    this.recordKeys = new RecordKeys({ keyStore, serverKey: serverKey.wrapping, ownerKeys: this.ownerKeys });
    const { recordKeys, ownerKeys } = this;
    this.snapshotKeys = new SnapshotKeys({ recordKeys, ownerKeys });
  }

  /**
   * Makes sure, at a start, that the key store was written under this server key.
   *
   * @param options `mustStand`: a key store that has never been written to is not the right one
   * @throws KeyUnwrapError when it was not, KeysMissingError
   */
  async checkServerKey({ mustStand }: { readonly mustStand: boolean }): Promise<void> {
    const found = await this.keyStore.get([...serverKeyChecks]);
    const stored = found.get(TAGGED_CHECK) ?? found.get(PLAIN_CHECK);
    // The plain one is destroyed only when the other stands.
    if (stored === null || (stored === undefined && mustStand)) throw new KeysMissingError();
    const check = stored ?? (await this.putServerKeyCheck(PLAIN_CHECK));
    if (check) unwrapKey(this.serverKey.wrapping, check);
  }

  /**
   * Whether events of the log carry tags. The key store says so by a key that is wrapped under the server's key: without that key
   * nobody can set the mark or remove it.
   *
   * @throws KeysMissingError when nothing says so either way
   */
  async isTagged(): Promise<boolean> {
    const found = await this.keyStore.get([...serverKeyChecks]);
    const tagged = found.get(TAGGED_CHECK);
    const plain = found.get(PLAIN_CHECK);
    const stored = tagged ?? plain;
    if (!stored) throw new KeysMissingError();
    unwrapKey(this.serverKey.wrapping, stored);
    return stored === tagged;
  }

  /** Puts on record that events carry tags: see {@link isTagged}. */
  async markTagged(): Promise<void> {
    await this.putServerKeyCheck(TAGGED_CHECK);
    await this.keyStore.destroy([PLAIN_CHECK]);
  }

  /**
   * Encrypts records, one for one. Every new key is durable before this resolves; a key that exists already (a message's,
   * for its edit; or one made by an earlier try) is used as it is.
   *
   * @throws KeyDestroyedError
   */
  async seal(records: readonly PlainRecord[]): Promise<Buffer[]> {
    const keys = await this.recordKeys.obtain(records);
    return records.map((record) => {
      const key = keys.get(record.keyId);
      if (!key) throw new KeyDestroyedError(record.keyId);
      return encrypt(key, { plaintext: record.content, boundTo: bindingOf(record) });
    });
  }

  /**
   * Decrypts records, one for one; null where the record's key or its owner's key was destroyed.
   *
   * @throws SealBrokenError, KeyUnwrapError, KeyMissingError
   */
  async open(records: readonly SealedRecord[]): Promise<(Buffer | null)[]> {
    const keys = await this.recordKeys.load(records.map((record) => record.keyId));
    return records.map((record) => {
      const key = keys.get(record.keyId);
      if (key === undefined) throw new KeyMissingError(record.keyId);
      return key && openUnder(key, record);
    });
  }

  /**
   * Destroys keys of records or (by {@link ownerKeyId}) of people: what they guard is erased, in this process at once and in
   * others within a second. With a person's key goes that of all snapshots, which may hold what it guards.
   */
  destroy(keyIds: readonly string[]): Promise<void> {
    return keyIds.some(isOwnerKeyId) ? this.snapshotKeys.destroyWith(keyIds) : this.ownerKeys.destroy(keyIds);
  }

  /** Names the key for snapshots of whatever is read from the log after this was called. */
  snapshotKeyId(): Promise<string> {
    return this.snapshotKeys.currentId();
  }

  /** The key that a snapshot was sealed with; null when it was destroyed, or is not in this key store. */
  async snapshotKey(id: string): Promise<Uint8Array | null> {
    const key = await this.snapshotKeys.load(id);
    return key && derivedKey(key, 'palimpsest snapshots');
  }

  /** The key to seal a snapshot with, durable when this resolves; null when it was destroyed since it was named. */
  async obtainSnapshotKey(id: string): Promise<Uint8Array | null> {
    const key = await this.snapshotKeys.obtain(id);
    return key && derivedKey(key, 'palimpsest snapshots');
  }

  /** Whether every one of these keys was destroyed. */
  async areDestroyed(keyIds: readonly string[]): Promise<boolean> {
    const found = await this.keyStore.get(keyIds);
    return keyIds.every((id) => found.get(id) === null);
  }

  /**
   * Makes the key of a file, durable when this resolves: it opens nothing else that stands under the same id.
   *
   * @param keyId new
   * @param owner the person whose key wraps it; null: the server's key does
   * @throws KeyDestroyedError
   */
  async makeFileKey(keyId: string, owner: number | null): Promise<Uint8Array> {
    const key = (await this.recordKeys.obtain([{ eventId: keyId, keyId, owner }])).get(keyId);
    if (!key) throw new KeyDestroyedError(keyId);
    return derivedKey(key, 'palimpsest file');
  }

  /**
   * The key of a file; null when it, or its owner's key, was destroyed.
   *
   * @throws KeyMissingError
   */
  async fileKey(keyId: string): Promise<Uint8Array | null> {
    const key = (await this.recordKeys.load([keyId])).get(keyId);
    if (key === undefined) throw new KeyMissingError(keyId);
    return key && derivedKey(key, 'palimpsest file');
  }

  /**
   * The digest that e-mail addresses are looked up by: HMAC-SHA-256, hexadecimal, of {@link nameKey}.
   */
  emailDigest(email: string): string {
    return createHmac('sha256', this.serverKey.lookup).update(nameKey(email)).digest('hex');
  }

  /**
   * A digest that tells what somebody wrote from anything else: HMAC-SHA-256, hexadecimal. Nobody without the server's key can
   * tell by it whether a text is the one that was written.
   */
  textDigest(text: string): string {
    return createHmac('sha256', this.serverKey.lookup).update(`text\n${text}`).digest('hex');
  }

  /** What proves that a link was made here: HMAC-SHA-256, base64url, of what it is for and what it names. */
  linkDigest(purpose: string, name: string): string {
    return createHmac('sha256', this.serverKey.links).update(`${purpose}\n${name}`).digest('base64url');
  }

  /** Encrypts an API key that its owner may read again, bound to the account. */
  sealApiKey(userId: number, apiKey: string): Buffer {
    return encrypt(this.serverKey.credentials, { plaintext: apiKey, boundTo: apiKeyBinding(userId) });
  }

  /** @throws EnvelopeError when it was sealed for another account, or under another server key */
  openApiKey(userId: number, sealed: Uint8Array): string {
    return decrypt(this.serverKey.credentials, { sealed, boundTo: apiKeyBinding(userId) }).toString('utf8');
  }

  /** Encrypts the key that a device's notifications are encrypted with, bound to the device. */
  sealDeviceKey(deviceId: number, key: Uint8Array): Buffer {
    const plaintext = Buffer.from(key).toString('base64');
    return encrypt(this.serverKey.credentials, { plaintext, boundTo: `key of device ${deviceId}` });
  }

  /** @throws EnvelopeError when it was sealed for another device, or under another server key */
  openDeviceKey(deviceId: number, sealed: Uint8Array): Uint8Array {
    const text = decrypt(this.serverKey.credentials, { sealed, boundTo: `key of device ${deviceId}` });
    return Buffer.from(text.toString('utf8'), 'base64');
  }

  /** Encrypts the secret of a second factor, bound to the account. */
  sealSecondFactor(userId: number, secret: string): Buffer {
    const boundTo = `second factor of ${ownerKeyId(userId)}`;
    return encrypt(this.serverKey.credentials, { plaintext: secret, boundTo });
  }

  /** @throws EnvelopeError when it was sealed for another account, or under another server key */
  openSecondFactor(userId: number, sealed: Uint8Array): string {
    const boundTo = `second factor of ${ownerKeyId(userId)}`;
    return decrypt(this.serverKey.credentials, { sealed, boundTo }).toString('utf8');
  }

  private async putServerKeyCheck(id: string): Promise<WrappedKey | null> {
    const fresh = wrapKey(this.serverKey.wrapping, { id, wrappedBy: null, key: randomBytes(32) });
    const [stored] = await this.keyStore.putIfAbsent([fresh]);
    return stored ?? null;
  }
}

/** A record's key guards events too: a file has one that follows from it, so that neither opens the other. */
function derivedKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, 32));
}

function openUnder(key: Uint8Array, record: SealedRecord): Buffer {
  try {
    return decrypt(key, { sealed: record.sealed, boundTo: bindingOf(record) });
  } catch (error) {
    throw error instanceof EnvelopeError ? new SealBrokenError(record.eventId) : error;
  }
}

function bindingOf({ eventId, eventType }: Pick<PlainRecord, 'eventId' | 'eventType'>): string {
  return `event ${eventId} ${eventType}`;
}

function apiKeyBinding(userId: number): string {
  return `api key of ${ownerKeyId(userId)}`;
}
