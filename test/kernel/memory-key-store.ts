import type { KeyStore, WrappedKey } from '../../src/stores/key-store/port.js';

/** A key store in memory that counts its reads. */
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

  /**
   * Delays reads of a person's keys until a promise resolves. The returned promise resolves when such a read has
   * started.
   */
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

  async wrappedByServer(after: string, limit: number): Promise<readonly WrappedKey[]> {
    const found = [...this.keys.values()].flatMap((key) => (key?.wrappedBy === null ? key : []));
    return found
      .filter(({ id }) => id > after)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  }

  async rewrap(keys: readonly WrappedKey[]): Promise<void> {
    for (const key of keys) if (this.keys.get(key.id)) this.keys.set(key.id, key);
  }

  private readonly notes = new Map<string, string>();

  async readNote(name: string): Promise<string | null> {
    return this.notes.get(name) ?? null;
  }

  async writeNote(name: string, text: string): Promise<void> {
    this.notes.set(name, text);
  }

  async close(): Promise<void> {}
}
