import { OperatorError } from '../../src/kernel/errors.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { ModelStatus } from './model-position.js';
import type { ModelPositions } from './model-positions.js';

/** The read models cannot be built for want of their store, and none of an earlier run serves. */
export class ModelsUnavailableError extends OperatorError {
  override readonly name = 'ModelsUnavailableError';
  constructor({ projection, stoppage }: ModelStatus) {
    super(
      `The read model "${projection}" cannot be built: ${stoppage?.reason ?? 'its store is unavailable'}`,
    );
  }
}

/** What is looked at. */
export interface StartingModels {
  readonly positions: Pick<ModelPositions, 'awaited'>;
  readonly readStore: Pick<ReadStore, 'servingVersion'>;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** How long a start takes it that a lease may soon be free, before it believes that another process does the work. */
const STANDBY_MILLISECONDS = 1_000;
/** How long a store may be away before a start goes on with what serves, and before it is given up where nothing does. */
const UNAVAILABLE_MILLISECONDS = 3_000;
const HOPELESS_MILLISECONDS = 10_000;

/**
 * Whether a process that starts can go on: its models have caught up, stand still, or are another process's work. Where all that is
 * left cannot be written, such as on a full disk, what serves of them is read as it stands: such a process takes no writes.
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
