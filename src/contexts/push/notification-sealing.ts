import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { failure } from '../../kernel/errors.js';

const keyBytes = 32;
const nonceBytes = 24;

/** The byte before a key that says which cipher it is for: libsodium's secretbox. */
const secretboxPrefix = 0x31;

/**
 * Parses the key of a device: base64 of 32 bytes, or of 33, the first of which says that the rest is for
 * secretbox.
 *
 * @throws ApplicationError `invalidPushKey`
 */
export function pushKeyOf(sent: string): Buffer {
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.toString('base64') !== sent) throw failure('invalidPushKey');
  if (bytes.length === keyBytes) return bytes;
  if (bytes.length === keyBytes + 1 && bytes[0] === secretboxPrefix) return bytes.subarray(1);
  throw failure('invalidPushKey');
}

/**
 * Encrypts a notification for one device: libsodium's `crypto_secretbox` (XSalsa20 and Poly1305) of its JSON.
 *
 * @returns base64 of the nonce and the ciphertext
 */
export function sealNotification(key: Uint8Array, notification: object): string {
  const nonce = randomBytes(nonceBytes);
  const box = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(JSON.stringify(notification)));
  return Buffer.concat([nonce, box]).toString('base64');
}
