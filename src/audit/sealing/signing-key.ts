import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole } from '../../runtime/durable-file.js';
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
  if (!existsSync(file)) await createWhole(file, newKey());
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new SigningKeyError(`The signing key ${file} cannot be read`, { cause });
  });
  if (text === '')
    throw new SigningKeyError(
      `The signing key ${file} is empty, so it never signed anything: put a copy of your key there, or remove the file, and a new key is made`,
    );
  return parse(file, text);
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function parse(file: string, text: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw new SigningKeyError(`The signing key ${file} cannot be read`, { cause });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SigningKeyError(`The signing key ${file} is no Ed25519 key`);
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
