import { OperatorError } from '../../src/kernel/errors.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { ModelStatus } from './model-position.js';
import type { ModelPositions } from './model-positions.js';

/** The read models cannot be built because their store is unavailable, and no earlier version serves. */
export class ModelsUnavailableError extends OperatorError {
  override readonly name = 'ModelsUnavailableError';
  constructor({ projection, stoppage }: ModelStatus) {
    super(
      `The read model "${projection}" cannot be built: ${stoppage?.reason ?? 'its store is unavailable'}`,
    );
  }
}

/** What is checked. */
interface StartingModels {
  readonly positions: Pick<ModelPositions, 'awaited'>;
  readonly readStore: Pick<ReadStore, 'servingVersion'>;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** How long a starting process waits for a lease in milliseconds, before it assumes that another process does the work. */
const STANDBY_MILLISECONDS = 1_000;
/** How long a store may be unavailable, in milliseconds, before the start continues with the serving versions, or fails if there are none. */
const UNAVAILABLE_MILLISECONDS = 3_000;
const HOPELESS_MILLISECONDS = 10_000;

/**
 * Decides when a starting process can continue: each model has caught up, does not advance, or is kept up to date by another process.
 * Models that cannot be written, for example because the disk is full, are read as they are, and the process refuses writes.
 */
export class ModelsAtStart {
  private readonly now: () => number;
  private readonly began: number;
  private heldUpSince: number | null = null;

  constructor(private readonly models: StartingModels) {
    this.now = models.now ?? (() => performance.now());
    this.began = this.now();
  }

  /** @throws ModelsUnavailableError */
  async areReady(): Promise<boolean> {
    const { positions } = this.models;
    const waited = positions.awaited().map(async (status) => ((await this.isReady(status)) ? [] : status));
    const left = (await Promise.all(waited)).flat();
    if (left.length === 0) return true;
    return this.canGoOnWithout(left);
  }

  private async isReady({ projection, state }: ModelStatus): Promise<boolean> {
    if (state !== 'standby')
      return state === 'live' || state === 'halted' || state === 'frozen' || state === 'paused';
    return this.now() - this.began > STANDBY_MILLISECONDS && (await this.serves(projection));
  }

  private async canGoOnWithout(left: readonly ModelStatus[]): Promise<boolean> {
    if (left.some(({ state }) => state !== 'unavailable')) {
      this.heldUpSince = null;
      return false;
    }
    const heldUp = this.now() - (this.heldUpSince ??= this.now());
    if (heldUp < UNAVAILABLE_MILLISECONDS) return false;
    const serving = await Promise.all(left.map(({ projection }) => this.serves(projection)));
    const missing = left[serving.indexOf(false)];
    if (missing !== undefined && heldUp >= HOPELESS_MILLISECONDS) throw new ModelsUnavailableError(missing);
    return missing === undefined;
  }

  private async serves(projection: string): Promise<boolean> {
    return (await this.models.readStore.servingVersion(projection)) !== null;
  }
}
