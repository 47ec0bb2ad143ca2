import { createHash, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { failure } from '../../kernel/errors.js';
import type { CredentialStore } from '../../stores/credential-store/port.js';
import type { Vault } from '../../stores/key-store/vault.js';
import type { Device } from './devices.state.js';

/** The keys that encrypt devices' notifications: stored outside of the log, and encrypted. */
export class DeviceKeys {
  constructor(
    private readonly store: Pick<CredentialStore, 'deviceKey' | 'setDeviceKey' | 'removeDeviceKey'>,
    private readonly vault: Pick<Vault, 'encryptDeviceKey' | 'decryptDeviceKey'>,
  ) {}

  async put({ id }: Pick<Device, 'id'>, key: Uint8Array): Promise<void> {
    await this.store.setDeviceKey(id, this.vault.encryptDeviceKey(id, key));
  }

  /** Null when there is none. */
  async of({ id }: Pick<Device, 'id'>): Promise<Uint8Array | null> {
    const sealed = await this.store.deviceKey(id);
    return sealed === null ? null : this.vault.decryptDeviceKey(id, sealed);
  }

  async remove({ id }: Pick<Device, 'id'>): Promise<void> {
    await this.store.removeDeviceKey(id);
  }
}

/** The id of a token outside of the credential store. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}

const KEY_BYTES = 32;
const NONCE_BYTES = 24;

/** The byte before a key that says which cipher it is for: libsodium's secretbox. */
const SECRETBOX_PREFIX = 0x31;

/**
 * Parses the key of a device: base64 of 32 bytes, or of 33, the first of which says that the rest is for
 * secretbox.
 *
 * @throws ApplicationError `invalidPushKey`
 */
export function pushKeyOf(sent: string): Buffer {
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.toString('base64') !== sent) throw failure('invalidPushKey');
  if (bytes.length === KEY_BYTES) return bytes;
  if (bytes.length === KEY_BYTES + 1 && bytes[0] === SECRETBOX_PREFIX) return bytes.subarray(1);
  throw failure('invalidPushKey');
}

/**
 * Encrypts a notification for one device: libsodium's `crypto_secretbox` (XSalsa20 and Poly1305) of its JSON.
 *
 * @returns base64 of the nonce and the ciphertext
 */
export function encryptNotification(key: Uint8Array, notification: object): string {
  const nonce = randomBytes(NONCE_BYTES);
  const box = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(JSON.stringify(notification)));
  return Buffer.concat([nonce, box]).toString('base64');
}
