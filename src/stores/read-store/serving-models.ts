import { failure } from '../../kernel/errors.js';
import { withinTime } from '../../runtime/within-time.js';
import {
  ModelRemovedError,
  ReadStoreUnavailableError,
  type CollectionDefinition,
  type ModelStore,
  type ReadStore,
} from './port.js';
import { CachingModel } from './caching-model.js';

/** How long a node may read from the previous version after a cut-over, in milliseconds. */
const SWITCH_NOTICED_WITHIN = 1000;

/** Opens the serving version of a model; null: none serves yet. */
export async function openServingModel(
  readStore: ReadStore,
  name: string,
  collections: readonly CollectionDefinition[],
): Promise<ModelStore | null> {
  for (;;) {
    const version = await readStore.servingVersion(name);
    if (version === null) return null;
    try {
      return await readStore.openModel(name, version, collections);
    } catch (error) {
      // Another version may have replaced it, and it may have been dropped, since it was looked up.
      const stillServes = (await readStore.servingVersion(name)) === version;
      if (!(error instanceof ModelRemovedError) || stillServes) throw error;
    }
  }
}

interface ServingModel {
  readonly model: CachingModel;
  readonly checkedAt: number;
}

/** Options of {@link ServingModels}. */
interface ServingModelsOptions {
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
  /** The longest that a lookup, or a read of a model, may take, in milliseconds; absent: as long as the store allows. */
  readonly timeout?: number | null;
  /** Called when a model is found to be served from another version than before. */
  readonly onSwitch?: () => void;
}

/** The read models for queries: always the serving versions. */
export class ServingModels {
  private readonly models = new Map<string, ServingModel>();
  /** The version of each model that was last opened, also of those that were forgotten. */
  private readonly versions = new Map<string, number>();
  private rechecking: Promise<void> | null = null;
  private readonly now: () => number;
  private readonly timeout: number | null;
  private readonly onSwitch: () => void;

  constructor(
    /** The store of the read models. */
    readonly readStore: ReadStore,
    options: ServingModelsOptions = {},
  ) {
    this.now = options.now ?? (() => performance.now());
    this.timeout = options.timeout ?? null;
    this.onSwitch = options.onSwitch ?? (() => undefined);
  }

  /**
   * The serving version of a model.
   *
   * @throws ApplicationError `unavailable` when none serves yet
   * @throws ReadStoreUnavailableError also when the store does not answer in time
   */
  async get(name: string, collections: readonly CollectionDefinition[]): Promise<ModelStore> {
    const model = await this.find(name, collections);
    if (model === null) throw failure('unavailable');
    return model;
  }

  /** The serving version of a model; null when none serves yet. */
  async find(name: string, collections: readonly CollectionDefinition[]): Promise<ModelStore | null> {
    const known = this.models.get(name);
    if (known !== undefined && this.now() - known.checkedAt < SWITCH_NOTICED_WITHIN) return known.model;
    if (known !== undefined) await this.recheck();
    return this.models.get(name)?.model ?? this.open(name, collections);
  }

  /** To be called after a model was written to: answers cached in this turn must not be used any more. */
  moved(name: string): void {
    this.models.get(name)?.model.moved();
  }

  /** The same for all models. */
  allMoved(): void {
    for (const { model } of this.models.values()) model.moved();
  }

  /** To be called after a cut-over of an unknown model. */
  forgetAll(): void {
    this.models.clear();
  }

  /** To be called after a cut-over: the next query looks up the serving version again. */
  forget(name: string): void {
    this.models.delete(name);
  }

  private async open(name: string, collections: readonly CollectionDefinition[]): Promise<ModelStore | null> {
    const checkedAt = this.now();
    const opened = await this.inTime(() => openServingModel(this.readStore, name, collections));
    if (opened === null) return null;
    const model = new CachingModel(opened, (read) => this.inTime(read));
    this.models.set(name, { model, checkedAt });
    const before = this.versions.get(name) ?? model.version;
    this.versions.set(name, model.version);
    // Before anybody gets the model: what it includes is then not looked for in the previous version.
    if (before !== model.version) this.onSwitch();
    return model;
  }

  /** Looks up the serving versions of all open models, whichever is requested: a store on a server answers that in one reply. */
  private recheck(): Promise<void> {
    this.rechecking ??= this.forgetSucceeded().finally(() => (this.rechecking = null));
    return this.rechecking;
  }

  private async forgetSucceeded(): Promise<void> {
    const checkedAt = this.now();
    const open = [...this.models];
    const versions = await this.inTime(() =>
      Promise.all(open.map(([name]) => this.readStore.servingVersion(name))),
    );
    for (const [index, [name, known]] of open.entries()) {
      // What was forgotten or opened meanwhile is known by something later.
      if (this.models.get(name) !== known) continue;
      const { model } = known;
      if (model.version === versions[index] && !model.isRemoved())
        this.models.set(name, { model, checkedAt });
      else this.models.delete(name);
    }
  }

  private inTime<Result>(read: () => Promise<Result>): Promise<Result> {
    const { timeout } = this;
    if (timeout === null) return read();
    const late = (): Error =>
      new ReadStoreUnavailableError(`The read models did not answer within ${timeout} ms`);
    return withinTime(read, timeout, late);
  }
}
