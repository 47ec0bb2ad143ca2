import { retryOnDuplicateKey } from '../../mongodb/connect.js';
import { answered } from './errors.js';
import { modelRecords, type Connected, type ModelRecord } from './mongo-model-store.js';
import { endSession } from './writer-session.js';

/** Names a version of a model; `_id` is that of its record. */
export type VersionName = Pick<ModelRecord, '_id' | 'name' | 'version'>;

/** The name of a version of a model, with the id of its record. */
export function versionNamed(name: string, version: number): VersionName {
  return { _id: `${name}__v${version}`, name, version };
}

/** The records of the stored versions of models: which versions there are, and which collections they have. */
export class StoredVersions {
  constructor(private readonly connected: Pick<Connected, 'client' | 'database'>) {}

  async prepare(): Promise<void> {
    await this.answered(() => this.records.createIndex({ name: 1, version: 1 }));
  }

  all(): Promise<readonly ModelRecord[]> {
    return this.answered(() => this.records.find().toArray());
  }

  /** Null: there is none. */
  find({ _id }: VersionName): Promise<ModelRecord | null> {
    return this.answered(() => this.records.findOne({ _id }));
  }

  /** The stored versions of a model, in rising order. */
  async of(name: string): Promise<readonly number[]> {
    const records = await this.answered(() => this.records.find({ name }).sort({ version: 1 }).toArray());
    return records.map(({ version }) => version);
  }

  /** Records a version with its collections, and collections that it did not have before. */
  register(version: VersionName, collections: readonly string[]): Promise<void> {
    return this.answered(() => this.registerNow(version, collections));
  }

  private async registerNow(
    { _id, name, version }: VersionName,
    collections: readonly string[],
  ): Promise<void> {
    const registered = await this.records.findOne({ _id }, { projection: { collections: 1 } });
    // An unchanged record is not written, because that would wait for the model's writer.
    if (registered !== null && collections.every((each) => registered.collections.includes(each))) return;
    const update = {
      $setOnInsert: { name, version, position: null, fencingToken: 0 },
      $addToSet: { collections: { $each: [...collections] } },
    };
    // Another node may register it at the same time.
    await retryOnDuplicateKey(() => this.records.updateOne({ _id }, update, { upsert: true }));
  }

  /** Ends the transaction of the version's writer, and refuses all later ones. */
  closeToWriters({ _id }: VersionName): Promise<void> {
    return this.answered(async () => {
      const record = await this.records.findOne({ _id });
      if (record?.session !== undefined) await endSession(this.connected.client, record.session);
      const change = { $set: { dropped: true, fencingToken: Number.MAX_SAFE_INTEGER } };
      await this.records.updateOne({ _id }, change);
    });
  }

  /** Removes a version's collections. Its record is removed last: after a crash, the rest is found by it. */
  async remove(version: VersionName): Promise<void> {
    const record = await this.find(version);
    for (const collection of record?.collections ?? []) {
      await this.answered(() => this.connected.database.dropCollection(collection));
    }
    await this.answered(() => this.records.deleteOne({ _id: version._id }));
  }

  private get records(): ReturnType<typeof modelRecords> {
    return modelRecords(this.connected.database);
  }

  private answered<Result>(task: () => Promise<Result>): Promise<Result> {
    return answered(this.connected.client, task);
  }
}
