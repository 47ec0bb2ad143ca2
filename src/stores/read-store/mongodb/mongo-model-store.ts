import type { ClientSession, Collection as DriverCollection, Db, MongoClient } from 'mongodb';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { durable, inTime, isDuplicateKey, oneOf } from '../../mongodb/connect.js';
import {
  FencedError,
  ModelRemovedError,
  UnsupportedQueryError,
  type Checkpoint,
  type Collection,
  type CollectionDefinition,
  type Keyed,
  type ModelBatch,
  type ModelStore,
  type ReadControl,
} from '../port.js';
import { BatchWriter, groupedWrites, type CheckedWrite } from './batch-writer.js';
import { withPortErrors } from './errors.js';
import { MongoCollection } from './mongo-collection.js';
import { WriterSession } from './writer-session.js';

/** The stored record of a version of a model. */
export interface ModelRecord {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
  /** Names of its collections in the database. */
  readonly collections: readonly string[];
  readonly position: number | null;
  readonly fencingToken: number;
  /** Whether it was dropped, and is kept only for readers that have not noticed yet; absent: it was not. */
  readonly dropped?: boolean;
  /** The writing session of the fencing token's owner; absent: there were no transactions. */
  readonly session?: string;
}

/** A connected database. */
export interface Connected {
  readonly client: MongoClient;
  readonly database: Db;
  /** Whether the server supports transactions: a replica set or a sharded cluster. */
  readonly transactions: boolean;
  /** The deadlines of reads. */
  readonly control: ReadControl;
  /** Checkpoints by the ids of records: whoever looks how far all models have come asks once. */
  readonly checkpoints: BatchedCalls<ModelRecord['_id'], Checkpoint>;
}

/** Looks the checkpoints of models up: those that are requested at the same time, together. */
export function checkpointsIn(client: MongoClient, database: Db): Connected['checkpoints'] {
  return new BatchedCalls(async (ids) => {
    const asked = { _id: oneOf([...new Set(ids)]) };
    const found = await inTime(client, () =>
      modelRecords(database)
        .find(asked, { projection: { position: 1 } })
        .toArray(),
    );
    const positions = new Map(found.map(({ _id, position }) => [_id, position]));
    return ids.map((id) => ({ position: positions.get(id) ?? null }));
  });
}

/** The collection with the records of models. */
export function modelRecords(database: Db): DriverCollection<ModelRecord> {
  return database.collection<ModelRecord>('_models', durable);
}

/** The documents of a collection of a model's version. */
export function documentsOf(database: Db, name: string): DriverCollection<Keyed> {
  return database.collection<Keyed>(name, { ...durable, ignoreUndefined: true });
}

/** A collection of a model, and its collection in the database. */
interface DeclaredCollection {
  readonly definition: CollectionDefinition;
  readonly documents: DriverCollection<Keyed>;
}

/** One version of one model in MongoDB. */
export class MongoModelStore implements ModelStore {
  private readonly session: WriterSession;

  constructor(
    private readonly connected: Connected,
    private readonly record: Pick<ModelRecord, '_id' | 'name' | 'version'>,
    /** By declared name. */
    private readonly collections: ReadonlyMap<string, DeclaredCollection>,
  ) {
    this.session = new WriterSession(connected.client);
  }

  get name(): string {
    return this.record.name;
  }

  get version(): number {
    return this.record.version;
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    const { documents, definition } = this.declared(name);
    return new MongoCollection<D>(documents, definition, this.connected.control);
  }

  state(): null {
    return null;
  }

  /** Only the server knows; a writer learns it from {@link fence} and {@link commit}. */
  isRemoved(): boolean {
    return false;
  }

  async checkpoint(): Promise<Checkpoint> {
    const { checkpoints } = this.connected;
    const [checkpoint] = await withPortErrors(() => checkpoints.call([this.record._id]));
    return checkpoint ?? { position: null };
  }

  async fence(fencingToken: number): Promise<Checkpoint> {
    await withPortErrors(() =>
      this.connected.transactions
        ? this.takeOver(fencingToken)
        : this.advance(fencingToken, { fencingToken }),
    );
    return this.checkpoint();
  }

  private takeOver(fencingToken: number): Promise<void> {
    const former = async (): Promise<string | null> => {
      const record = await this.records.findOne({ _id: this.record._id });
      return record !== null && record.fencingToken <= fencingToken ? (record.session ?? null) : null;
    };
    const change = { fencingToken, session: this.session.id };
    return this.session.takeOver(former, (limits) => this.advance(fencingToken, change, limits));
  }

  async commit(batch: ModelBatch): Promise<void> {
    const groups = groupedWrites(batch, (name) => this.declared(name).definition);
    await withPortErrors(() =>
      this.connected.transactions ? this.commitAtomically(batch, groups) : this.commitInOrder(batch, groups),
    );
  }

  private async commitInOrder(batch: ModelBatch, groups: Groups): Promise<void> {
    const { fencingToken, checkpoint } = batch;
    // Stored before the first write, because the token keeps out former owners of the lease.
    if (groups.size > 0) await this.advance(fencingToken, { fencingToken });
    for (const [name, writes] of groups) await this.writer(name).writeResuming(writes);
    await this.advance(fencingToken, { fencingToken, position: checkpoint.position });
  }

  /** An error of any write aborts the transaction, so after a guarded upsert that fails its guard, a second transaction writes carefully. */
  private async commitAtomically(batch: ModelBatch, groups: Groups): Promise<void> {
    try {
      await this.inTransaction(batch, (session) => this.each(groups, session, 'write'));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await this.inTransaction(batch, (session) => this.each(groups, session, 'writeCarefully'));
    }
  }

  private async each(groups: Groups, session: ClientSession, how: 'write' | 'writeCarefully'): Promise<void> {
    for (const [name, writes] of groups) await this.writer(name, session)[how](writes);
  }

  private async inTransaction(
    { fencingToken, checkpoint }: ModelBatch,
    write: (session: ClientSession) => Promise<void>,
  ): Promise<void> {
    await this.session.transact(async (session) => {
      await this.advance(fencingToken, { fencingToken, position: checkpoint.position }, { session });
      await write(session);
    });
  }

  /** Changes the record, unless it has a higher token. */
  private async advance(
    token: number,
    change: Partial<Pick<ModelRecord, 'position' | 'fencingToken' | 'session'>>,
    { session, ...limits }: { readonly session?: ClientSession; readonly maxTimeMS?: number } = {},
  ): Promise<void> {
    const filter = { _id: this.record._id, fencingToken: { $lte: token } };
    const { matchedCount } = await this.records.updateOne(
      filter,
      { $set: change },
      { ...limits, ...(session && { session }) },
    );
    if (matchedCount === 0) await this.refuse(token, session);
  }

  private async refuse(token: number, session?: ClientSession): Promise<never> {
    const { _id } = this.record;
    const record = await this.records.findOne({ _id }, session ? { session } : {});
    if (record === null || record.dropped === true) throw new ModelRemovedError(this.name, this.version);
    throw new FencedError(`Another writer has taken ${this.name} over from token ${token}`);
  }

  private writer(name: string, session?: ClientSession): BatchWriter {
    return new BatchWriter(this.declared(name).documents, session);
  }

  private declared(name: string): DeclaredCollection {
    const declared = this.collections.get(name);
    if (declared) return declared;
    throw new UnsupportedQueryError(`The model ${this.name} declares no collection ${name}`);
  }

  private get records(): DriverCollection<ModelRecord> {
    return modelRecords(this.connected.database);
  }
}

type Groups = ReadonlyMap<string, readonly CheckedWrite[]>;
