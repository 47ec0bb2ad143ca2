import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { connectMongo } from '../../mongodb/connect.js';
import {
  DROPPED_READABLE_MILLISECONDS,
  journalName,
  ModelRemovedError,
  type CollectionDefinition,
  type ReadControl,
  type Lease,
  type ModelStore,
  type ReadStore,
} from '../port.js';
import { checkCollections, checkModel } from '../language/definitions.js';
import { answered, withPortErrors } from './errors.js';
import { Leases } from './leases.js';
import { prepareCollection } from './model-collections.js';
import { checkpointsIn, documentsOf, MongoModelStore, type Connected } from './mongo-model-store.js';
import { ServingVersions } from './serving-versions.js';
import { StoredVersions, versionNamed, type VersionName } from './stored-versions.js';

/** Options of {@link connectMongoReadStore}. */
interface MongoReadStoreOptions {
  /** Its path names the database. */
  readonly url: string;
  /** True: nothing is created or changed, and what is missing counts as empty. */
  readonly readOnly?: boolean;
  /** Ends reads that exceed their deadline; absent: there is no limit. */
  readonly control?: ReadControl;
}

/**
 * Connects to a read store in MongoDB. A replica set or sharded cluster commits each batch in a transaction; on a server without
 * transactions, writes are in order and the checkpoint is last.
 *
 * @throws {ReadStoreUnavailableError} when no server answers in time.
 */
export async function connectMongoReadStore({
  url,
  readOnly = false,
  control = { deadline: () => null, running: () => {}, rowsRead: () => {} },
}: MongoReadStoreOptions): Promise<ReadStore> {
  const client = await withPortErrors(() => connectMongo(url));
  try {
    return await withPortErrors(() => prepared(client, { readOnly, control }));
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function prepared(
  client: MongoClient,
  { readOnly, control }: Required<Pick<MongoReadStoreOptions, 'readOnly' | 'control'>>,
): Promise<ReadStore> {
  const database = client.db();
  const hello = await database.command({ hello: 1 });
  const transactions = typeof hello['setName'] === 'string' || hello['msg'] === 'isdbgrid';
  const checkpoints = checkpointsIn(client, database);
  const store = new MongoReadStore({ client, database, transactions, control, checkpoints }, readOnly);
  if (!readOnly) await store.prepare();
  return store;
}

/** The database collection of a model version's collection. */
interface Place {
  readonly definition: CollectionDefinition;
  readonly name: string;
}

class MongoReadStore implements ReadStore {
  private readonly stored: StoredVersions;
  private readonly serving: ServingVersions;
  private readonly leases: Leases;

  constructor(
    private readonly connected: Connected,
    private readonly readOnly: boolean,
  ) {
    this.stored = new StoredVersions(connected);
    this.serving = new ServingVersions(connected.client, connected.database);
    this.leases = new Leases(connected.client, connected.database);
  }

  get atomicBatches(): boolean {
    return this.connected.transactions;
  }

  async prepare(): Promise<void> {
    await this.stored.prepare();
    await this.serving.prepare();
    await this.leases.prepare();
  }

  async openModel(
    name: string,
    version: number,
    collections: readonly CollectionDefinition[],
  ): Promise<ModelStore> {
    checkModel(name, version);
    checkCollections(collections);
    const { database } = this.connected;
    const record = versionNamed(name, version);
    const places = collections.map((definition) => ({ definition, name: `${definition.name}__v${version}` }));
    await this.refuseDropped(name, version);
    if (!this.readOnly) await this.make(record, places);
    const documents = new Map(
      places.map(({ definition, name: stored }) => [
        definition.name,
        { definition, documents: documentsOf(database, stored) },
      ]),
    );
    return new MongoModelStore(this.connected, record, documents);
  }

  async modelVersions(name: string): Promise<readonly number[]> {
    const dropped = new Set(await this.dropped(name));
    return (await this.stored.of(name)).filter((version) => !dropped.has(version));
  }

  async usedVersions(name: string): Promise<readonly number[]> {
    const used = new Set([...(await this.stored.of(name)), ...(await this.dropped(name))]);
    return [...used].sort((left, right) => left - right);
  }

  async dropModel(name: string, version: number): Promise<boolean> {
    checkModel(name, version);
    if (!(await this.answered(() => this.serving.drop(name, version)))) return false;
    const named = versionNamed(name, version);
    await this.stored.closeToWriters(named);
    await delay(DROPPED_READABLE_MILLISECONDS);
    await this.stored.remove(named);
    return true;
  }

  /** There is nothing to close: versions have no connections of their own. */
  async releaseDropped(): Promise<void> {}

  /** Empties the journals of committed batches; the server's own journal is overwritten in time. */
  async scrub(): Promise<void> {
    const { database } = this.connected;
    await this.removeDropped();
    for (const { name, version, collections, position } of await this.stored.all()) {
      const journal = `${journalName(name)}__v${version}`;
      if (position === null || !collections.includes(journal)) continue;
      const committed = { position: { $lte: position } };
      await this.answered(() => documentsOf(database, journal).deleteMany(committed));
    }
  }

  async modelBytes(name: string, version: number): Promise<number | null> {
    checkModel(name, version);
    const { database } = this.connected;
    const record = await this.stored.find(versionNamed(name, version));
    if (record === null) return null;
    try {
      const sizes = await this.answered(() =>
        Promise.all(record.collections.map((collection) => database.command({ collStats: collection }))),
      );
      return sizes.reduce((sum, { storageSize, totalIndexSize }) => {
        return sum + Number(storageSize ?? 0) + Number(totalIndexSize ?? 0);
      }, 0);
    } catch {
      // Some servers do not have the command, or do not allow it.
      return null;
    }
  }

  async servingVersion(model: string): Promise<number | null> {
    return withPortErrors(() => this.serving.serving(model));
  }

  async switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return this.answered(() => this.serving.switch(model, from, to));
  }

  async acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null> {
    return withPortErrors(() => this.leases.acquire(name, owner, milliseconds));
  }

  async releaseLease(name: string, owner: string): Promise<void> {
    await withPortErrors(() => this.leases.release(name, owner));
  }

  async close(): Promise<void> {
    await this.connected.client.close();
  }

  private answered<Result>(task: () => Promise<Result>): Promise<Result> {
    return answered(this.connected.client, task);
  }

  /** Completes the removal of dropped versions that a crash interrupted. */
  private async removeDropped(): Promise<void> {
    for (const record of await this.stored.all()) {
      if ((await this.dropped(record.name)).includes(record.version)) await this.stored.remove(record);
    }
  }

  private async make(record: VersionName, places: readonly Place[]): Promise<void> {
    // The record is stored first, so that an incomplete version can be found and dropped.
    const collections = places.map(({ name }) => name);
    await this.stored.register(record, collections);
    for (const { name, definition } of places) await prepareCollection(this.connected, name, definition);
    // It may have been dropped during its creation.
    try {
      await this.refuseDropped(record.name, record.version);
    } catch (error) {
      if (error instanceof ModelRemovedError) await this.stored.remove(record);
      throw error;
    }
  }

  private async refuseDropped(name: string, version: number): Promise<void> {
    if ((await this.dropped(name)).includes(version)) throw new ModelRemovedError(name, version);
  }

  /** The versions of a model that were dropped, whether or not they are removed yet. */
  private dropped(name: string): Promise<readonly number[]> {
    return this.answered(() => this.serving.dropped(name));
  }
}
