import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { connectMongo, inTime, onceMoreWhenInserted } from '../../mongodb/connect.js';
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
import { guarded } from './errors.js';
import { Leases } from './leases.js';
import { prepareCollection } from './model-collections.js';
import {
  checkpointsIn,
  documentsOf,
  modelRecords,
  MongoModelStore,
  type Connected,
  type ModelRecord,
} from './mongo-model-store.js';
import { ServingVersions } from './serving-versions.js';
import { endSession } from './writer-session.js';

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
  control = { deadline: () => null, running: () => {} },
}: MongoReadStoreOptions): Promise<ReadStore> {
  const client = await guarded(() => connectMongo(url));
  try {
    return await guarded(() => prepared(client, { readOnly, control }));
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
  private readonly serving: ServingVersions;
  private readonly leases: Leases;

  constructor(
    private readonly connected: Connected,
    private readonly readOnly: boolean,
  ) {
    this.serving = new ServingVersions(connected.client, connected.database);
    this.leases = new Leases(connected.client, connected.database);
  }

  get atomicBatches(): boolean {
    return this.connected.transactions;
  }

  async prepare(): Promise<void> {
    await modelRecords(this.connected.database).createIndex({ name: 1, version: 1 });
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
    const record = { _id: `${name}__v${version}`, name, version };
    const places = collections.map((definition) => ({ definition, name: `${definition.name}__v${version}` }));
    await this.answered(() => this.refuseDropped(name, version));
    if (!this.readOnly) await guarded(() => this.make(record, places));
    const documents = new Map(
      places.map(({ definition, name: stored }) => [
        definition.name,
        { definition, documents: documentsOf(database, stored) },
      ]),
    );
    return new MongoModelStore(this.connected, record, documents);
  }

  async modelVersions(name: string): Promise<readonly number[]> {
    return this.answered(async () => {
      const dropped = new Set(await this.serving.dropped(name));
      return (await this.storedVersions(name)).filter((version) => !dropped.has(version));
    });
  }

  async usedVersions(name: string): Promise<readonly number[]> {
    return this.answered(async () => {
      const used = new Set([...(await this.storedVersions(name)), ...(await this.serving.dropped(name))]);
      return [...used].sort((left, right) => left - right);
    });
  }

  async dropModel(name: string, version: number): Promise<boolean> {
    checkModel(name, version);
    if (!(await this.answered(() => this.serving.drop(name, version)))) return false;
    await this.answered(() => this.closeToWriters(name, version));
    await delay(DROPPED_READABLE_MILLISECONDS);
    await this.remove(name, version);
    return true;
  }

  /** There is nothing to close: versions have no connections of their own. */
  async releaseDropped(): Promise<void> {}

  /** Empties the journals of committed batches; the server's own journal is overwritten in time. */
  async scrub(): Promise<void> {
    const { database } = this.connected;
    await this.removeDropped();
    for (const { name, version, collections, position } of await this.allRecords()) {
      const journal = `${journalName(name)}__v${version}`;
      if (position === null || !collections.includes(journal)) continue;
      const committed = { position: { $lte: position } };
      await this.answered(() => documentsOf(database, journal).deleteMany(committed));
    }
  }

  async modelBytes(name: string, version: number): Promise<number | null> {
    checkModel(name, version);
    const { database } = this.connected;
    const _id = `${name}__v${version}`;
    const record = await this.answered(() => modelRecords(database).findOne({ _id }));
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
    return guarded(() => this.serving.serving(model));
  }

  async switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return this.answered(() => this.serving.switch(model, from, to));
  }

  async acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null> {
    return guarded(() => this.leases.acquire(name, owner, milliseconds));
  }

  async releaseLease(name: string, owner: string): Promise<void> {
    await guarded(() => this.leases.release(name, owner));
  }

  async close(): Promise<void> {
    await this.connected.client.close();
  }

  /**
   * Runs commands that each take little time, and waits for them no longer than for a server that is gone. What takes as long as the data is
   * large, such as a batch or a new index, has no such limit.
   */
  private answered<Result>(task: () => Promise<Result>): Promise<Result> {
    return guarded(() => inTime(this.connected.client, task));
  }

  private allRecords(): Promise<readonly ModelRecord[]> {
    return this.answered(() => modelRecords(this.connected.database).find().toArray());
  }

  private async closeToWriters(name: string, version: number): Promise<void> {
    const { client, database } = this.connected;
    const _id = `${name}__v${version}`;
    const record = await modelRecords(database).findOne({ _id });
    if (record?.session !== undefined) await endSession(client, record.session);
    const change = { $set: { dropped: true, fencingToken: Number.MAX_SAFE_INTEGER } };
    await modelRecords(database).updateOne({ _id }, change);
  }

  /** Completes the removal of dropped versions that a crash interrupted. */
  private async removeDropped(): Promise<void> {
    for (const { name, version } of await this.allRecords()) {
      const dropped = await this.answered(() => this.serving.dropped(name));
      if (dropped.includes(version)) await this.remove(name, version);
    }
  }

  /** The record is removed last: after a crash, the rest is found by it. */
  private async remove(name: string, version: number): Promise<void> {
    const { database } = this.connected;
    const _id = `${name}__v${version}`;
    const record = await this.answered(() => modelRecords(database).findOne({ _id }));
    for (const collection of record?.collections ?? [])
      await this.answered(() => database.dropCollection(collection));
    await this.answered(() => modelRecords(database).deleteOne({ _id }));
  }

  private async make(
    record: Pick<ModelRecord, '_id' | 'name' | 'version'>,
    places: readonly Place[],
  ): Promise<void> {
    // The record is stored first, so that an incomplete version can be found and dropped.
    await this.register(
      record,
      places.map(({ name }) => name),
    );
    for (const { name, definition } of places)
      await prepareCollection(this.connected.database, name, definition);
    // It may have been dropped during its creation.
    try {
      await this.refuseDropped(record.name, record.version);
    } catch (error) {
      if (error instanceof ModelRemovedError) await this.remove(record.name, record.version);
      throw error;
    }
  }

  private async refuseDropped(name: string, version: number): Promise<void> {
    if ((await this.serving.dropped(name)).includes(version)) throw new ModelRemovedError(name, version);
  }

  private async storedVersions(name: string): Promise<readonly number[]> {
    const { database } = this.connected;
    const records = await modelRecords(database).find({ name }).sort({ version: 1 }).toArray();
    return records.map(({ version }) => version);
  }

  private async register(
    { _id, name, version }: { readonly _id: string; readonly name: string; readonly version: number },
    collections: readonly string[],
  ): Promise<void> {
    const records = modelRecords(this.connected.database);
    const registered = await records.findOne({ _id }, { projection: { collections: 1 } });
    // An unchanged record is not written, because that would wait for the model's writer.
    if (registered !== null && collections.every((each) => registered.collections.includes(each))) return;
    const update = {
      $setOnInsert: { name, version, position: null, fencingToken: 0 },
      $addToSet: { collections: { $each: [...collections] } },
    };
    // Another node may register it at the same time.
    await onceMoreWhenInserted(() => records.updateOne({ _id }, update, { upsert: true }));
  }
}
