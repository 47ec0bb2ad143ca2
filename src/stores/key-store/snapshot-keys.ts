import type { OwnerKeys } from './owner-keys.js';
import type { RecordKeys } from './record-keys.js';

/** What {@link SnapshotKeys} works with. */
export interface SnapshotKeysOptions {
  readonly recordKeys: Pick<RecordKeys, 'load' | 'obtain'>;
  readonly ownerKeys: Pick<OwnerKeys, 'destroy' | 'forgetAll'>;
}

/**
 * The key that snapshots of folded streams are sealed with: one for all, because a state may hold what many people say of
 * themselves. It is destroyed with the key of any of them, and another comes in its place, with a rising number in its id.
 */
export class SnapshotKeys {
  private generation = 0;
  /** Whether the present generation was looked up, and not found destroyed since. */
  private isKnown = false;

  constructor(private readonly options: SnapshotKeysOptions) {}

  /**
   * Names the key for snapshots of what is read from now on. An id that is out of date, because another process destroyed
   * that key, is safe: nobody can seal under it any more.
   */
  async currentId(): Promise<string> {
    if (!this.isKnown) await this.find();
    return idOf(this.generation);
  }

  /** The key of that id; null when it was destroyed, and when there never was one. */
  async load(id: string): Promise<Uint8Array | null> {
    return this.noted((await this.options.recordKeys.load([id])).get(id) ?? null);
  }

  /** The key of that id, made where there was none; null when it was destroyed. */
  async obtain(id: string): Promise<Uint8Array | null> {
    const stored = await this.load(id);
    if (stored !== null) return stored;
    const made = await this.options.recordKeys.obtain([{ eventId: id, keyId: id, owner: null }]);
    return this.noted(made.get(id) ?? null);
  }

  /**
   * Destroys people's keys, and then that of every snapshot that what they guard may be in: whoever names the next one reads
   * after people's keys were gone.
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

  /** Goes on to the first key that was not destroyed: one that exists, or the next to be made. */
  private async find(): Promise<void> {
    for (;;) {
      const { generation } = this;
      const id = idOf(generation);
      this.isKnown = (await this.options.recordKeys.load([id])).get(id) !== null;
      if (this.isKnown) return;
      // Somebody was erased, maybe by another process: no key that is remembered may open what is read from here on.
      this.options.ownerKeys.forgetAll();
      this.generation = Math.max(this.generation, generation + 1);
    }
  }
}

function idOf(generation: number): string {
  return `snapshots:${generation}`;
}
