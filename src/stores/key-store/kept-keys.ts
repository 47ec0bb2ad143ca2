import { createSecretKey } from 'node:crypto';
import { unwrapKey, wrapKey } from './key-wrapping.js';
import type { KeyStore } from './port.js';
import type { ServerKey } from './server-key.js';

/**
 * What must stay the same when the server's key is changed, since the log, links and the credential store hold what was made with it:
 * digests of addresses, tokens of links, API keys that their owners may read again.
 */
const kept = ['lookup', 'links', 'credentials'] as const;

function idOf(use: (typeof kept)[number]): string {
  return `server-key:${use}`;
}

/** The server's key with those of an earlier one that are kept under it. @throws KeyUnwrapError */
export async function withKeptKeys(serverKey: ServerKey, keyStore: KeyStore): Promise<ServerKey> {
  const found = await keyStore.get(kept.map(idOf));
  const keys = kept.flatMap((use) => {
    const wrapped = found.get(idOf(use));
    return wrapped ? [[use, createSecretKey(unwrapKey(serverKey.wrapping, wrapped))] as const] : [];
  });
  return { ...serverKey, ...Object.fromEntries(keys) };
}

/** Keeps under the next key what the present one, or one before it, derives. What is kept already stays. */
export async function keepKeys(
  keyStore: KeyStore,
  { present, next }: { readonly present: ServerKey; readonly next: ServerKey },
): Promise<void> {
  const wrapped = kept.map((use) =>
    wrapKey(next.wrapping, { id: idOf(use), wrappedBy: null, key: present[use].export() }),
  );
  await keyStore.putIfAbsent(wrapped);
}
