import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { truncateJournal } from '../../sqlite/database-file.js';
import {
  DROPPED_READABLE_MILLISECONDS,
  ModelRemovedError,
  ReadStoreUnavailableError,
  type CollectionDefinition,
  type ReadControl,
  type Lease,
  type ModelStore,
  type ReadStore,
} from '../port.js';
import { checkCollections, checkModel } from '../language/definitions.js';
import { Connection } from './connection.js';
import { EmbeddedModelStore, type ModelVersion, promised } from './embedded-model-store.js';
import { EngineState } from './engine-state.js';
import { InterruptibleReader } from './interruptible-reader.js';
import { DirectReader } from './row-reader.js';

/** Options of {@link openEmbeddedReadStore}. */
interface EmbeddedReadStoreOptions {
  /** Directory of the SQLite files: one for each model version, and one for their shared state. Created if it is missing. */
  readonly directory: string;
  /** True: nothing is created or changed, and missing files count as empty. */
  readonly readOnly?: boolean;
  /** Ends reads that exceed their deadline; absent: there is no limit. */
  readonly control?: ReadControl;
}

/**
 * Opens a read store in SQLite files (mode 600). Several threads of one machine may have the same directory open: one writes a model, the
 * others read it without waiting.
 *
 * @throws {ReadStoreUnavailableError} when the files cannot be opened.
 */
export function openEmbeddedReadStore({
  directory,
  readOnly = false,
  control,
}: EmbeddedReadStoreOptions): ReadStore {
  if (!readOnly) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const connect = (file: string): Connection =>
    readOnly ? Connection.openToRead(file) : Connection.open(file);
  const store = new EmbeddedReadStore(directory, connect, control ?? null);
  if (!readOnly) store.removeDropped();
  return store;
}

const fileNameForm = /^(.+)__v(\d+)\.sqlite$/;

function fileName({ name, version }: ModelVersion): string {
  return `${name}__v${version}.sqlite`;
}

class EmbeddedReadStore implements ReadStore {
  readonly atomicBatches = true;
  private readonly state: EngineState;
  private readonly models = new Map<string, EmbeddedModelStore>();
  /** Models whose files are removed, but which may still be read. */
  private readonly retired = new Set<EmbeddedModelStore>();

  constructor(
    private readonly directory: string,
    private readonly connect: (file: string) => Connection,
    private readonly control: ReadControl | null,
  ) {
    this.state = new EngineState(connect(join(directory, 'engine.sqlite')));
  }

  openModel(
    name: string,
    version: number,
    collections: readonly CollectionDefinition[],
  ): Promise<ModelStore> {
    return promised(() => this.model({ name, version }, collections));
  }

  modelVersions(name: string): Promise<readonly number[]> {
    return promised(() => {
      const dropped = new Set(this.state.droppedVersions(name));
      return this.versionsOnDisk(name).filter((version) => !dropped.has(version));
    });
  }

  usedVersions(name: string): Promise<readonly number[]> {
    return promised(() => {
      const used = new Set([...this.versionsOnDisk(name), ...this.state.droppedVersions(name)]);
      return [...used].sort((left, right) => left - right);
    });
  }

  dropModel(name: string, version: number): Promise<boolean> {
    return promised(() => {
      checkModel(name, version);
      if (!this.state.drop(name, version)) return false;
      this.removeFiles({ name, version });
      this.retireRemoved();
      return true;
    });
  }

  releaseDropped(): Promise<void> {
    return promised(() => this.retireRemoved());
  }

  /** Completes the removal of dropped versions that a crash interrupted. */
  removeDropped(): void {
    for (const { name, version } of this.storedModels()) {
      if (this.state.isDropped(name, version)) this.removeFiles({ name, version });
    }
  }

  async scrub(): Promise<void> {
    this.removeDropped();
    const files = readdirSync(this.directory).filter((file) => fileNameForm.test(file));
    for (const file of files) {
      const path = join(this.directory, file);
      // A version that was dropped meanwhile must not be created again.
      if (!existsSync(path) || (await truncateJournal(path))) continue;
      throw new ReadStoreUnavailableError(`What was deleted in ${file} could not be overwritten yet`);
    }
  }

  modelBytes(name: string, version: number): Promise<number | null> {
    return promised(() => {
      const file = join(this.directory, fileName({ name, version }));
      const sizes = ['', '-wal'].map(
        (suffix) => statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size,
      );
      return sizes[0] === undefined ? null : sizes[0] + (sizes[1] ?? 0);
    });
  }

  servingVersion(model: string): Promise<number | null> {
    return promised(() => {
      // Here, because every follower and reader of a model calls this about once a second.
      this.retireRemoved();
      return this.state.servingVersion(model);
    });
  }

  switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return promised(() => this.state.switchVersion(model, from, to));
  }

  acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null> {
    return promised(() => this.state.acquireLease(name, owner, milliseconds));
  }

  releaseLease(name: string, owner: string): Promise<void> {
    return promised(() => this.state.releaseLease(name, owner));
  }

  close(): Promise<void> {
    return promised(() => {
      for (const model of [...this.models.values(), ...this.retired]) model.close();
      this.models.clear();
      this.retired.clear();
      this.state.close();
    });
  }

  private model(wanted: ModelVersion, collections: readonly CollectionDefinition[]): EmbeddedModelStore {
    checkModel(wanted.name, wanted.version);
    checkCollections(collections);
    const key = JSON.stringify([wanted.name, wanted.version, collections]);
    const known = this.models.get(key);
    if (known && !known.isRemoved()) return known;
    this.retireRemoved();
    if (this.state.isDropped(wanted.name, wanted.version))
      throw new ModelRemovedError(wanted.name, wanted.version);
    const file = join(this.directory, fileName(wanted));
    const connection = this.connect(file);
    // A missing file counts as empty, so there is nothing to interrupt.
    const interruptible =
      this.control !== null && existsSync(file)
        ? InterruptibleReader.open(file, new DirectReader(connection), this.control)
        : null;
    const model = EmbeddedModelStore.over({ connection, interruptible }, wanted, collections);
    this.models.set(key, model);
    return model;
  }

  /** Closes models whose files are removed, which frees their disk space once nobody reads them. */
  private retireRemoved(): void {
    for (const [key, model] of this.models) {
      if (!model.isRemoved()) continue;
      this.models.delete(key);
      this.retired.add(model);
      const close = (): void => {
        if (this.retired.delete(model)) model.close();
      };
      setTimeout(close, DROPPED_READABLE_MILLISECONDS).unref();
    }
  }

  private removeFiles(model: ModelVersion): void {
    const file = join(this.directory, fileName(model));
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  }

  private versionsOnDisk(name: string): readonly number[] {
    const versions = this.storedModels().filter((model) => model.name === name);
    return versions.map(({ version }) => version).sort((left, right) => left - right);
  }

  private storedModels(): readonly ModelVersion[] {
    const files = existsSync(this.directory) ? readdirSync(this.directory) : [];
    return files.flatMap((file) => {
      const [, name, version] = fileNameForm.exec(file) ?? [];
      return name === undefined ? [] : { name, version: Number(version) };
    });
  }
}
