import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../kernel/errors.js';

/** The key that signs statements about a log could not be read. The message names the file. */
class SigningKeyError extends OperatorError {
  override readonly name = 'SigningKeyError';
}

/**
 * Loads the Ed25519 key of a data directory from `seal.key` (PKCS #8, mode 600), and creates it if it does not exist.
 *
 * @throws SigningKeyError
 */
export async function loadSigningKey(dataDirectory: string): Promise<KeyObject> {
  const file = join(dataDirectory, 'seal.key');
  await makeIfMissing(file);
  try {
    await using handle = await open(file, 'r');
    const key = createPrivateKey(await handle.readFile('utf8'));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new SigningKeyError(`The signing key ${file} cannot be read`, { cause });
  }
  throw new SigningKeyError(`The signing key ${file} is no Ed25519 key`);
}

async function makeIfMissing(file: string): Promise<void> {
  try {
    await using handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    const { privateKey } = generateKeyPairSync('ed25519');
    await handle.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await handle.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A public key as statements contain it: SPKI in DER, base64. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** @throws Error when the text is not a public key */
export function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' });
}

/** The SHA-256 digest by which people compare keys, of the key as statements contain it. */
export function fingerprint(publicKey: string): string {
  return `SHA256:${createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64url')}`;
}
