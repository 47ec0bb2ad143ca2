import type { MongoClient } from 'mongodb';
import { BatchedCalls } from '../../batched-calls.js';
import { connectMongo, isDuplicateKey } from '../../mongodb/connect.js';
import {
  journalName,
  type CollectionDefinition,
  type Lease,
  type ModelStore,
  type ReadStore,
} from '../port.js';
import { checkCollections, checkModel } from '../language/definitions.js';
import { guarded } from './errors.js';
import { Leases } from './leases.js';
import { prepareCollection } from './model-collections.js';
import {
  documentsOf,
  modelRecords,
  MongoModelStore,
  type Connected,
  type ModelRecord,
} from './mongo-model-store.js';
import { SequencedRecords } from './sequenced-records.js';

/** Options of {@link connectMongoReadStore}. */
export interface MongoReadStoreOptions {
  /** Its path names the database. */
  readonly url: string;
  /** For somebody who only reads: nothing is made or changed, and what is missing is empty. */
  readonly readOnly?: boolean;
}

/**
 * Connects to a read store in MongoDB. A replica set (or sharded cluster) commits each batch in a transaction; a server
 * without transactions writes in order and the checkpoint last.
 *
 * @throws {ReadStoreUnavailableError} when no server answers in time.
 */
export async function connectMongoReadStore({
  url,
  readOnly = false,
}: MongoReadStoreOptions): Promise<ReadStore> {
  const client = await guarded(() => connectMongo(url));
  try {
    return await guarded(() => prepared(client, readOnly));
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function prepared(client: MongoClient, readOnly: boolean): Promise<ReadStore> {
  const database = client.db();
  const hello = await database.command({ hello: 1 });
  const transactions = typeof hello['setName'] === 'string' || hello['msg'] === 'isdbgrid';
  const store = new MongoReadStore({ client, database, transactions }, readOnly);
  if (!readOnly) await store.prepare();
  return store;
}

interface Serving {
  readonly version: number;
}

/** Where a collection of a model's version stands. */
interface Place {
  readonly definition: CollectionDefinition;
  readonly name: string;
}

class MongoReadStore implements ReadStore {
  private readonly serving: SequencedRecords<Serving>;
  private readonly leases: Leases;
  /** Every follower of a model looks up what serves, about once in a second. */
  private readonly versions = new BatchedCalls(async (models: readonly string[]) => {
    const latest = await this.serving.latestOf(models);
    return models.map((model) => latest.get(model)?.version ?? null);
  });

  constructor(
    private readonly connected: Connected,
    private readonly readOnly: boolean,
  ) {
    this.serving = new SequencedRecords(connected.database, '_serving');
    this.leases = new Leases(connected.database);
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
    if (!this.readOnly) await guarded(() => this.make(record, places));
    const documents = new Map(
      places.map((place) => [place.definition.name, documentsOf(database, place.name)]),
    );
    return new MongoModelStore(this.connected, record, documents);
  }

  async modelVersions(name: string): Promise<readonly number[]> {
    const records = await guarded(() =>
      modelRecords(this.connected.database).find({ name }).sort({ version: 1 }).toArray(),
    );
    return records.map(({ version }) => version);
  }

  async dropModel(name: string, version: number): Promise<void> {
    checkModel(name, version);
    const { database } = this.connected;
    const _id = `${name}__v${version}`;
    await guarded(async () => {
      const record = await modelRecords(database).findOne({ _id });
      for (const collection of record?.collections ?? []) await database.dropCollection(collection);
      await modelRecords(database).deleteOne({ _id });
    });
  }

  /** Empties the journals of batches that models have passed; the server's own runs out by itself. */
  async scrub(): Promise<void> {
    const { database } = this.connected;
    await guarded(async () => {
      for (const { name, version, collections, position } of await modelRecords(database).find().toArray()) {
        const journal = `${journalName(name)}__v${version}`;
        if (position === null || !collections.includes(journal)) continue;
        await documentsOf(database, journal).deleteMany({ position: { $lte: position } });
      }
    });
  }

  async modelBytes(name: string, version: number): Promise<number | null> {
    checkModel(name, version);
    const { database } = this.connected;
    const record = await guarded(() => modelRecords(database).findOne({ _id: `${name}__v${version}` }));
    if (record === null) return null;
    try {
      const sizes = await Promise.all(
        record.collections.map((collection) => database.command({ collStats: collection })),
      );
      return sizes.reduce((sum, { storageSize, totalIndexSize }) => {
        return sum + Number(storageSize ?? 0) + Number(totalIndexSize ?? 0);
      }, 0);
    } catch {
      // Not every server that speaks the protocol knows the command, or lets everybody ask.
      return null;
    }
  }

  async servingVersion(model: string): Promise<number | null> {
    const [version] = await guarded(() => this.versions.call([model]));
    return version ?? null;
  }

  async switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    return guarded(async () => {
      const latest = await this.serving.latest(model);
      if ((latest?.version ?? null) !== from) return false;
      return this.serving.append(model, latest?.sequence ?? 0, { version: to });
    });
  }

  async acquireLease(name: string, holder: string, milliseconds: number): Promise<Lease | null> {
    return guarded(() => this.leases.acquire(name, holder, milliseconds));
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    await guarded(() => this.leases.release(name, holder));
  }

  async close(): Promise<void> {
    await this.connected.client.close();
  }

  private async make(
    record: Pick<ModelRecord, '_id' | 'name' | 'version'>,
    places: readonly Place[],
  ): Promise<void> {
    // The record comes first, so that a half-made version can be found and dropped.
    await this.register(
      record,
      places.map(({ name }) => name),
    );
    for (const { name, definition } of places)
      await prepareCollection(this.connected.database, name, definition);
  }

  private async register(
    { _id, name, version }: { readonly _id: string; readonly name: string; readonly version: number },
    collections: readonly string[],
  ): Promise<void> {
    const records = modelRecords(this.connected.database);
    const update = {
      $setOnInsert: { name, version, position: null, fencingToken: 0 },
      $addToSet: { collections: { $each: [...collections] } },
    };
    try {
      await records.updateOne({ _id }, update, { upsert: true });
    } catch (error) {
      // Two nodes registered it at once; now it exists.
      if (!isDuplicateKey(error)) throw error;
      await records.updateOne({ _id }, update);
    }
  }
}
