import { createSecretKey } from 'node:crypto';
import { unwrapKey, wrapKey } from './key-wrapping.js';
import type { KeyStore } from './port.js';
import type { ServerKey } from './server-key.js';

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
