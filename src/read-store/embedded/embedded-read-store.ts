import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionDefinition, Lease, ModelStore, ReadStore } from '../port.js';
import { checkCollections, checkModel } from '../language/definitions.js';
import { Connection } from './connection.js';
import { EmbeddedModelStore } from './embedded-model-store.js';
import { EngineState } from './engine-state.js';

/** Options of {@link openEmbeddedReadStore}. */
export interface EmbeddedReadStoreOptions {
  /** Folder of the SQLite files: one for each model version, and one for what they share. Made where it is missing. */
  readonly directory: string;
}

/**
 * Opens a read store in SQLite files (mode 600). Several threads of one machine may have the same folder open: one writes a
 * model, the others read it without waiting.
 *
 * @throws {ReadStoreUnavailableError} when the files cannot be opened.
 */
export function openEmbeddedReadStore({ directory }: EmbeddedReadStoreOptions): ReadStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return new EmbeddedReadStore(directory);
}

function fileName(name: string, version: number): string {
  return `${name}__v${version}.sqlite`;
}

class EmbeddedReadStore implements ReadStore {
  readonly atomicBatches = true;
  private readonly state: EngineState;
  private readonly models = new Map<string, EmbeddedModelStore>();

  constructor(private readonly directory: string) {
    this.state = new EngineState(Connection.open(join(directory, 'engine.sqlite')));
  }

  async openModel(
    name: string,
    version: number,
    collections: readonly CollectionDefinition[],
  ): Promise<ModelStore> {
    checkModel(name, version);
    checkCollections(collections);
    const key = JSON.stringify([name, version, collections]);
    const known = this.models.get(key);
    if (known) return known;
    const file = join(this.directory, fileName(name, version));
    const model = EmbeddedModelStore.open({ name, version }, file, collections);
    this.models.set(key, model);
    return model;
  }

  async modelVersions(name: string): Promise<readonly number[]> {
    const found = readdirSync(this.directory).map((file) => /^(.+)__v(\d+)\.sqlite$/.exec(file));
    return found
      .filter((match) => match?.[1] === name)
      .map((match) => Number(match?.[2]))
      .sort((left, right) => left - right);
  }

  async dropModel(name: string, version: number): Promise<void> {
    checkModel(name, version);
    for (const [key, model] of this.models) {
      if (model.name !== name || model.version !== version) continue;
      model.close();
      this.models.delete(key);
    }
    const file = join(this.directory, fileName(name, version));
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  }

  async servingVersion(model: string): Promise<number | null> {
    return this.state.servingVersion(model);
  }

  async switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return this.state.switchVersion(model, from, to);
  }

  async acquireLease(name: string, holder: string, milliseconds: number): Promise<Lease | null> {
    return this.state.acquireLease(name, holder, milliseconds);
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    this.state.releaseLease(name, holder);
  }

  async close(): Promise<void> {
    for (const model of this.models.values()) model.close();
    this.models.clear();
    this.state.close();
  }
}
