import { createPrivateKey, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk } from '../../runtime/data-directory.js';
import { createWhole } from '../../runtime/durable-file.js';
import { OperatorError } from '../../kernel/errors.js';

/** The keys derived from the server's secret. A `KeyObject` does not reveal its bytes to logs or `JSON.stringify`. */
export interface ServerKey {
  /** AES-256: wraps people's keys, and the keys of records without an owner. */
  readonly wrapping: KeyObject;
  /** HMAC-SHA-256: digests of e-mail addresses. */
  readonly lookup: KeyObject;
  /** AES-256: encrypts API keys that their owners may read again. */
  readonly credentials: KeyObject;
  /** HMAC-SHA-256: tokens of links. */
  readonly links: KeyObject;
  /** HMAC-SHA-256: tags of events, and of texts stored beside the log. */
  readonly tagging: KeyObject;
  /** Ed25519: signs the seals of the log. */
  readonly signing: KeyObject;
}

/** The key's file: `server.key` in the data directory, which the first start creates, or another file, which must exist. */
type ServerKeyLocation = { readonly directory: string } | { readonly file: string };

/** The key file is missing, malformed or readable by others. The message names the file and what to do, but never its content. */
export class ServerKeyError extends OperatorError {
  override readonly name = 'ServerKeyError';
}

const KEY_BYTES = 32;

/**
 * Reads the server's key: 32 random bytes, base64, in a file of mode 600. In a data directory, a missing key is created; processes that
 * start concurrently all use the one that was created first.
 *
 * @throws ServerKeyError when the file is malformed, is readable by group or others, or was configured and does not exist
 */
export async function loadServerKey(location: ServerKeyLocation): Promise<ServerKey> {
  if ('file' in location) return readServerKey(location.file);
  const file = join(location.directory, 'server.key');
  await makeIfMissing(file);
  return readServerKey(file);
}

/** The file of the next server key during a key rotation. */
export function nextKeyFile(file: string): string {
  return `${file}.next`;
}

/**
 * The next server key. It is created if there is none; a rotation that was interrupted continues with the same one.
 *
 * @throws ServerKeyError
 */
export async function loadNextServerKey(file: string): Promise<ServerKey> {
  await makeIfMissing(nextKeyFile(file));
  return readServerKey(nextKeyFile(file));
}

/** Replaces the server's key by the next one atomically. */
export async function adoptNextServerKey(file: string): Promise<void> {
  await rename(nextKeyFile(file), file);
  await syncToDisk(dirname(file));
}

async function makeIfMissing(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (await exists(file)) return;
  await createWhole(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
}

async function exists(file: string): Promise<boolean> {
  try {
    await (await open(file, 'r')).close();
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw new ServerKeyError(`The server key ${file} cannot be read`, { cause: error });
  }
}

async function readServerKey(file: string): Promise<ServerKey> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    throw new ServerKeyError(`The server key ${file} cannot be read`, { cause });
  }
  try {
    const { mode } = await handle.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ServerKeyError(`The server key ${file} is open to group or others: run "chmod 600 ${file}"`);
    }
    return split(parse(file, await handle.readFile('utf8')));
  } finally {
    await handle.close();
  }
}

function parse(file: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text.trimEnd()) {
    throw new ServerKeyError(`The server key ${file} is malformed: it must hold 32 bytes in base64`);
  }
  return bytes;
}

function split(secret: Buffer): ServerKey {
  const derive = (use: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `palimpsest ${use}`, KEY_BYTES)));
  return {
    wrapping: derive('wrapping'),
    lookup: derive('lookup'),
    credentials: derive('credentials'),
    links: derive('links'),
    tagging: derive('tagging'),
    signing: ed25519KeyOf(derive('signing')),
  };
}

/** The PKCS #8 prefix of a private Ed25519 key (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519KeyOf(seed: KeyObject): KeyObject {
  const key = Buffer.concat([pkcs8Prefix, seed.export()]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
