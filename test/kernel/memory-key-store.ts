import type { KeyStore, WrappedKey } from '../../src/key-store/port.js';

/** A key store that is gone with the test, and counts what it is asked. */
export class MemoryKeyStore implements KeyStore {
  readonly keys = new Map<string, WrappedKey | null>();
  puts = 0;
  gets = 0;

  async putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]> {
    this.puts++;
    for (const key of keys) if (!this.keys.has(key.id)) this.keys.set(key.id, key);
    return keys.map((key) => this.keys.get(key.id) ?? null);
  }

  private until: Promise<void> | null = null;
  private asked = (): void => {};

  /** Holds back what is found for a person until then; resolves once it was found. */
  holdGets(until: Promise<void>): Promise<void> {
    this.until = until;
    return new Promise((resolve) => (this.asked = resolve));
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>> {
    this.gets++;
    const found = ids.map((id) => [id, this.keys.get(id)] as const);
    if (this.until !== null && ids.some((id) => id.startsWith('user:'))) {
      this.asked();
      await this.until;
    }
    return new Map(found.filter((entry): entry is [string, WrappedKey | null] => entry[1] !== undefined));
  }

  async destroy(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.keys.set(id, null);
  }

  async close(): Promise<void> {}
}
