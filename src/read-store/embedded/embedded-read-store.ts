import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { truncateJournal } from '../../sqlite/truncate-journal.js';
import {
  ReadStoreUnavailableError,
  type CollectionDefinition,
  type Lease,
  type ModelStore,
  type ReadStore,
} from '../port.js';
import { checkCollections, checkModel } from '../language/definitions.js';
import { Connection } from './connection.js';
import { EmbeddedModelStore, type ModelVersion } from './embedded-model-store.js';
import { EngineState } from './engine-state.js';
import { promised } from './promised.js';

/** Options of {@link openEmbeddedReadStore}. */
export interface EmbeddedReadStoreOptions {
  /** Folder of the SQLite files: one for each model version, and one for what they share. Made where it is missing. */
  readonly directory: string;
  /** For somebody who only reads: nothing is made or changed, and what is missing is empty. */
  readonly readOnly?: boolean;
}

/**
 * Opens a read store in SQLite files (mode 600). Several threads of one machine may have the same folder open: one writes a
 * model, the others read it without waiting.
 *
 * @throws {ReadStoreUnavailableError} when the files cannot be opened.
 */
export function openEmbeddedReadStore({ directory, readOnly = false }: EmbeddedReadStoreOptions): ReadStore {
  if (!readOnly) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const connect = (file: string): Connection =>
    readOnly ? Connection.openToRead(file) : Connection.open(file);
  return new EmbeddedReadStore(directory, connect);
}

const FILE_NAME = /^(.+)__v(\d+)\.sqlite$/;

function fileName({ name, version }: ModelVersion): string {
  return `${name}__v${version}.sqlite`;
}

class EmbeddedReadStore implements ReadStore {
  readonly atomicBatches = true;
  private readonly state: EngineState;
  private readonly models = new Map<string, EmbeddedModelStore>();

  constructor(
    private readonly directory: string,
    private readonly connect: (file: string) => Connection,
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
    return promised(() =>
      (existsSync(this.directory) ? readdirSync(this.directory) : [])
        .map((file) => FILE_NAME.exec(file))
        .filter((match) => match?.[1] === name)
        .map((match) => Number(match?.[2]))
        .sort((left, right) => left - right),
    );
  }

  dropModel(name: string, version: number): Promise<void> {
    return promised(() => {
      checkModel(name, version);
      for (const [key, model] of this.models) {
        if (model.name !== name || model.version !== version) continue;
        model.close();
        this.models.delete(key);
      }
      const file = join(this.directory, fileName({ name, version }));
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    });
  }

  async scrub(): Promise<void> {
    const files = readdirSync(this.directory).filter((file) => FILE_NAME.test(file));
    for (const file of files) {
      if (await truncateJournal(join(this.directory, file))) continue;
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
    return promised(() => this.state.servingVersion(model));
  }

  switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return promised(() => this.state.switchVersion(model, from, to));
  }

  acquireLease(name: string, holder: string, milliseconds: number): Promise<Lease | null> {
    return promised(() => this.state.acquireLease(name, holder, milliseconds));
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return promised(() => this.state.releaseLease(name, holder));
  }

  close(): Promise<void> {
    return promised(() => {
      for (const model of this.models.values()) model.close();
      this.models.clear();
      this.state.close();
    });
  }

  private model(wanted: ModelVersion, collections: readonly CollectionDefinition[]): EmbeddedModelStore {
    checkModel(wanted.name, wanted.version);
    checkCollections(collections);
    const key = JSON.stringify([wanted.name, wanted.version, collections]);
    const known = this.models.get(key);
    if (known) return known;
    const connection = this.connect(join(this.directory, fileName(wanted)));
    const model = EmbeddedModelStore.over(connection, wanted, collections);
    this.models.set(key, model);
    return model;
  }
}
