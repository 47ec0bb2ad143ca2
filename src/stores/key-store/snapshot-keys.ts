import type { OwnerKeys } from './owner-keys.js';
import type { RecordKeys } from './record-keys.js';

/** What {@link SnapshotKeys} needs. */
interface SnapshotKeysOptions {
  readonly recordKeys: Pick<RecordKeys, 'load' | 'obtain'>;
  readonly ownerKeys: Pick<OwnerKeys, 'destroy' | 'forgetAll'>;
}

/**
 * The key that encrypts snapshots of folded streams. There is one for all, because a state may contain data of many people. It is destroyed
 * with the key of any person, and replaced by one with the next number in its id.
 */
export class SnapshotKeys {
  private generation = 0;
  /** Whether the present generation was looked up, and has not been destroyed since. */
  private isKnown = false;

  constructor(private readonly options: SnapshotKeysOptions) {}

  /**
   * The id of the key for snapshots of what is read from now on. If another process has destroyed that key, the id is outdated but
   * harmless: nothing can be encrypted with it any more.
   */
  async currentId(): Promise<string> {
    if (!this.isKnown) await this.find();
    return idOf(this.generation);
  }

  /** The key with that id; null: it was destroyed, or never existed. */
  async load(id: string): Promise<Uint8Array | null> {
    return this.noted((await this.options.recordKeys.load([id])).get(id) ?? null);
  }

  /** The key with that id, created if there was none; null: it was destroyed. */
  async obtain(id: string): Promise<Uint8Array | null> {
    const stored = await this.load(id);
    if (stored !== null) return stored;
    const made = await this.options.recordKeys.obtain([{ eventId: id, keyId: id, owner: null }]);
    return this.noted(made.get(id) ?? null);
  }

  /**
   * Destroys people's keys, and then the key of all snapshots that may contain their data. A snapshot under the next key is read after the
   * people's keys were destroyed.
   */
  async destroyWith(ids: readonly string[]): Promise<void> {
    const { ownerKeys } = this.options;
    await ownerKeys.destroy(ids);
    await this.find();
    await ownerKeys.destroy([idOf(this.generation)]);
    this.isKnown = false;
  }

  private noted(key: Uint8Array | null): Uint8Array | null {
    if (key === null) this.isKnown = false;
    return key;
  }

  /** Finds the first generation whose key was not destroyed: an existing one, or the next to create. */
  private async find(): Promise<void> {
    for (;;) {
      const { generation } = this;
      const id = idOf(generation);
      this.isKnown = (await this.options.recordKeys.load([id])).get(id) !== null;
      if (this.isKnown) return;
      // A person was erased, perhaps by another process: cached keys must not decrypt anything read after this.
      this.options.ownerKeys.forgetAll();
      this.generation = Math.max(this.generation, generation + 1);
    }
  }
}

function idOf(generation: number): string {
  return `snapshots:${generation}`;
}
