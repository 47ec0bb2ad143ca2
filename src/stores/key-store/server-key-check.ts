import { randomBytes, type KeyObject } from 'node:crypto';
import { unwrapKey, wrapKey } from './key-wrapping.js';
import { KeysMissingError, type KeyStore, type WrappedKey } from './port.js';

/** Marks the key store of a log without tags, and that of a log with tags. */
const PLAIN_CHECK = 'server-key-check';
const TAGGED_CHECK = 'server-key-check-tagged';

/** Ids of keys that encrypt nothing. They can only be unwrapped with the server's key, which they identify. */
export const serverKeyChecks = [PLAIN_CHECK, TAGGED_CHECK] as const;

/** Checks that a key store was written with a server key, and notes there whether the log's events have tags. */
export class ServerKeyCheck {
  constructor(
    private readonly keyStore: KeyStore,
    private readonly serverKey: KeyObject,
  ) {}

  /** See `Vault.checkServerKey`. */
  async check({ requireExisting }: { readonly requireExisting: boolean }): Promise<void> {
    const found = await this.keyStore.get([...serverKeyChecks]);
    const stored = found.get(TAGGED_CHECK) ?? found.get(PLAIN_CHECK);
    // The check without tags is only destroyed once the other one exists.
    if (stored === null || (stored === undefined && requireExisting)) throw new KeysMissingError();
    const check = stored ?? (await this.put(PLAIN_CHECK));
    if (check) unwrapKey(this.serverKey, check);
  }

  /** See `Vault.isTagged`. */
  async isTagged(): Promise<boolean> {
    const found = await this.keyStore.get([...serverKeyChecks]);
    const tagged = found.get(TAGGED_CHECK);
    const plain = found.get(PLAIN_CHECK);
    const stored = tagged ?? plain;
    if (!stored) throw new KeysMissingError();
    unwrapKey(this.serverKey, stored);
    return stored === tagged;
  }

  /** See `Vault.markTagged`. */
  async markTagged(): Promise<void> {
    await this.put(TAGGED_CHECK);
    await this.keyStore.destroy([PLAIN_CHECK]);
  }

  private async put(id: string): Promise<WrappedKey | null> {
    const fresh = wrapKey(this.serverKey, { id, wrappedBy: null, key: randomBytes(32) });
    const [stored] = await this.keyStore.putIfAbsent([fresh]);
    return stored ?? null;
  }
}
