import { createSecretKey } from 'node:crypto';
import { OperatorError } from '../../kernel/errors.js';
import { decrypt, encrypt, EnvelopeError, type DataKey } from './envelope.js';
import type { KeyStore, WrappedKey } from './port.js';
import type { ServerKey } from './server-key.js';

/** A data key before it is wrapped. */
interface UnwrappedKey {
  readonly id: string;
  readonly wrappedBy: string | null;
  readonly key: Uint8Array;
}

/** A key cannot be unwrapped: the store was changed, or belongs to another server key. */
export class KeyUnwrapError extends OperatorError {
  override readonly name = 'KeyUnwrapError';
  constructor(readonly keyId: string) {
    super(`The key ${keyId} does not open: the key store was changed, or belongs to another server key`);
  }
}

/** Encrypts a data key, bound to its id and to the id of its wrapping key. */
export function wrapKey(wrapping: DataKey, { id, wrappedBy, key }: UnwrappedKey): WrappedKey {
  return { id, wrappedBy, wrapped: encrypt(wrapping, { plaintext: key, boundTo: bindingOf(id, wrappedBy) }) };
}

/** @throws KeyUnwrapError */
export function unwrapKey(wrapping: DataKey, { id, wrappedBy, wrapped }: WrappedKey): Buffer {
  try {
    return decrypt(wrapping, { sealed: wrapped, boundTo: bindingOf(id, wrappedBy) });
  } catch (error) {
    throw error instanceof EnvelopeError ? new KeyUnwrapError(id) : error;
  }
}

function bindingOf(id: string, wrappedBy: string | null): string {
  return `key ${id} by ${wrappedBy ?? 'server'}`;
}

/**
 * Keys that must stay the same when the server's key is replaced, because the log, links and the credential store contain their results:
 * digests of addresses, tokens of links, API keys that their owners may read again.
 */
const kept = ['lookup', 'links', 'credentials'] as const;

function idOf(use: (typeof kept)[number]): string {
  return `server-key:${use}`;
}

/** The server's key, with the keys of an earlier server key that were preserved. @throws KeyUnwrapError */
export async function withPreservedKeys(serverKey: ServerKey, keyStore: KeyStore): Promise<ServerKey> {
  const found = await keyStore.get(kept.map(idOf));
  const keys = kept.flatMap((use) => {
    const wrapped = found.get(idOf(use));
    return wrapped ? [[use, createSecretKey(unwrapKey(serverKey.wrapping, wrapped))] as const] : [];
  });
  return { ...serverKey, ...Object.fromEntries(keys) };
}

/** Stores these keys of the present server key, wrapped under the next one. Keys that were preserved before stay. */
export async function preserveKeys(
  keyStore: KeyStore,
  { present, next }: { readonly present: ServerKey; readonly next: ServerKey },
): Promise<void> {
  const wrapped = kept.map((use) =>
    wrapKey(next.wrapping, { id: idOf(use), wrappedBy: null, key: present[use].export() }),
  );
  await keyStore.putIfAbsent(wrapped);
}
