import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient, MongoServerError, type ClientSession, type Collection } from 'mongodb';
import { connectMongoReadStore } from '../../src/stores/read-store/mongodb/mongo-read-store.js';
import {
  FencedError,
  type Keyed,
  type ModelStore,
  type ReadStore,
} from '../../src/stores/read-store/port.js';
import { noSuchTransaction, Refusal, writeConflict } from '../support/mongodb-stand-in/failures.js';
import { MongoReplicaSetStandIn, type CommandFailure } from '../support/mongodb-stand-in/replica-set.js';
import { describeOnMongo, mongoDatabaseUrl, mongoUrl } from './mongo-database.js';
import { addition, openSums, sumsOf } from './support/mongodb-sums.js';

const writer = resolve('dist/test/contract/support/mongodb-writer-process.js');

/** Opens what a test closes again, on a stand-in of its own. */
class Place {
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly standIn: MongoReplicaSetStandIn,
    readonly url: string,
  ) {}

  static async make(): Promise<Place> {
    const { hostname: host, port } = new URL(mongoUrl!);
    const upstream = { host, port: Number(port) };
    const standIn = await MongoReplicaSetStandIn.start({ upstream });
    const url = new URL(mongoDatabaseUrl('replica_set'));
    url.host = standIn.address;
    return new Place(standIn, url.href);
  }

  async open(): Promise<{ readonly store: ReadStore; readonly sums: ModelStore }> {
    const store = await connectMongoReadStore({ url: this.url });
    this.closing.unshift(() => store.close());
    return { store, sums: await openSums(store) };
  }

  async client(): Promise<{ readonly session: ClientSession; readonly documents: Collection<Keyed> }> {
    const client = await MongoClient.connect(this.url);
    this.closing.unshift(() => client.close());
    return { session: client.startSession(), documents: client.db().collection<Keyed>('documents') };
  }

  async remove(): Promise<void> {
    const client = await MongoClient.connect(this.url);
    for (const close of this.closing) await close();
    await client.db().dropDatabase();
    await client.close();
    await this.standIn.close();
  }
}

describeOnMongo('A model on a replica set', () => {
  let place: Place;

  beforeEach(async () => {
    place = await Place.make();
  });
  afterEach(() => place.remove());

  it.each<[string, readonly CommandFailure[]]>([
    ['conflicts with another', [{ command: 'update', refusal: writeConflict() }]],
    ['is gone when it commits', [{ command: 'commitTransaction', refusal: noSuchTransaction() }]],
    ['loses its connection', [{ command: 'update' }]],
    ['loses its connection before it commits', [{ command: 'commitTransaction' }]],
    ['commits and is not told', [{ command: 'commitTransaction', isCarriedOut: true }]],
    [
      'commits and is told only when it has asked twice',
      [
        { command: 'commitTransaction', isCarriedOut: true },
        { command: 'commitTransaction', isCarriedOut: true },
      ],
    ],
    [
      'does not know the outcome because the leadership changed',
      [
        {
          command: 'commitTransaction',
          isCarriedOut: true,
          refusal: new Refusal(91, 'ShutdownInProgress', ['UnknownTransactionCommitResult']),
        },
      ],
    ],
  ])('makes a batch once when its transaction %s', async (_what, failures) => {
    const { sums } = await place.open();
    await sums.fence(1);
    for (const failure of failures) place.standIn.failNext(failure);
    await sums.commit(addition(1));
    expect(await sumsOf(sums)).toEqual([1, 1]);
    expect(await sums.checkpoint()).toEqual({ position: 1 });
    expect(place.standIn.failuresLeft).toBe(0);
  });

  it('applies a batch only once if its guarded documents exist already', async () => {
    const { sums } = await place.open();
    const guarded = (_id: number) => ({
      collection: 'sums',
      write: {
        updateOne: {
          filter: { _id, seen: { $lt: 5 } },
          update: { $set: { seen: 5 }, $inc: { sum: 1 } },
          upsert: true,
        },
      },
    });
    const batch = { writes: [guarded(1)], checkpoint: { position: 5 }, fencingToken: 1 };
    await sums.commit(batch);
    await sums.commit({ ...batch, writes: [guarded(1), guarded(2)] });
    expect(await sumsOf(sums)).toEqual([1, 1]);
    expect(place.standIn.counts).toMatchObject({ committed: 2, aborted: 1 });
  });

  it('lets those who write at once go one after the other', async () => {
    const [one, other] = [await place.open(), await place.open()];
    await Promise.all([one, other, one, other].map(({ sums }) => sums.commit(addition(1))));
    expect(await sumsOf(one.sums)).toEqual([4, 4]);
  });

  it('does not wait for a writer that was killed in the middle of a transaction', async () => {
    const { sums } = await place.open();
    const { isHeld } = place.standIn.holdNext('commitTransaction');
    const child = spawn(process.execPath, [writer, place.url, '1'], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await isHeld;
    child.kill('SIGKILL');
    await ended;
    expect(await sums.fence(2)).toEqual({ position: null });
    await sums.commit(addition(2));
    expect(await sumsOf(sums)).toEqual([1, 1]);
    expect(place.standIn.counts).toMatchObject({ killed: 1, expired: 0 });
  });

  it('refuses a writer that slept in the middle of a transaction while another took over', async () => {
    const [sleeper, other] = [await place.open(), await place.open()];
    await sleeper.sums.fence(1);
    const { isHeld, letGo } = place.standIn.holdNext('commitTransaction');
    const committed = expect(sleeper.sums.commit(addition(1))).rejects.toThrow(FencedError);
    await isHeld;
    await other.sums.fence(2);
    await other.sums.commit(addition(2));
    letGo();
    await committed;
    expect(await sumsOf(other.sums)).toEqual([1, 1]);
  });

  it('is dropped though a writer was killed in the middle of a transaction on it', async () => {
    const { store, sums } = await place.open();
    await sums.fence(1);
    const { isHeld, letGo } = place.standIn.holdNext('commitTransaction');
    const committed = sums.commit(addition(1)).catch((error: unknown) => error);
    await isHeld;
    expect(await store.dropModel('sums', 1)).toBe(true);
    letGo();
    expect(await committed).toMatchObject({ name: 'ModelRemovedError' });
    expect(place.standIn.counts).toMatchObject({ killed: 1, expired: 0 });
  });
});

describeOnMongo('The stand-in for a replica set', () => {
  let place: Place;

  beforeEach(async () => {
    place = await Place.make();
  });
  afterEach(() => place.remove());

  it('shows a transaction its own writes, and nobody else before it commits', async () => {
    const { session, documents } = await place.client();
    await documents.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    session.startTransaction();
    await documents.insertOne({ _id: 4 }, { session });
    await documents.updateOne({ _id: 1 }, { $set: { changed: true } }, { session });
    await documents.deleteMany({ _id: { $gte: 3 } }, { session });
    const own = [{ _id: 1, changed: true }, { _id: 2 }];
    expect(await documents.find({}, { session }).toArray()).toEqual(own);
    expect(await documents.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    await session.commitTransaction();
    expect(await documents.find({}, { sort: { _id: 1 } }).toArray()).toEqual(own);
  });

  it('stores nothing of a transaction that is aborted, or that a unique index refuses', async () => {
    const { session, documents } = await place.client();
    await documents.createIndex({ name: 1 }, { unique: true });
    await documents.insertOne({ _id: 1, name: 'taken' });
    session.startTransaction();
    await documents.insertOne({ _id: 2, name: 'free' }, { session });
    await session.abortTransaction();
    session.startTransaction();
    await documents.insertOne({ _id: 3, name: 'other' }, { session });
    await expect(documents.insertOne({ _id: 4, name: 'taken' }, { session })).rejects.toMatchObject({
      code: 11_000,
    });
    await expect(documents.findOne({}, { session })).rejects.toMatchObject({ code: 251 });
    await session.abortTransaction();
    expect(await documents.find().toArray()).toEqual([{ _id: 1, name: 'taken' }]);
  });

  it('refuses a transaction that writes to what another has, or has changed since it began', async () => {
    const [one, other] = [await place.client(), await place.client()];
    await one.documents.insertMany([{ _id: 1 }, { _id: 2 }]);
    const conflict = { code: 112, errorLabels: ['TransientTransactionError'] };
    const change = { $set: { changed: true } };
    one.session.startTransaction();
    other.session.startTransaction();
    await one.documents.updateOne({ _id: 1 }, change, one);
    await other.documents.updateOne({ _id: 2 }, change, other);
    await expect(one.documents.updateOne({ _id: 2 }, change, one)).rejects.toMatchObject(conflict);
    await one.session.abortTransaction();
    await one.documents.updateOne({ _id: 1 }, change);
    await expect(other.documents.updateOne({ _id: 1 }, change, other)).rejects.toMatchObject(conflict);
    await other.session.abortTransaction();
  });

  it('lets writes outside transactions wait for one, for as long as they may, until its lifetime is over', async () => {
    const { session, documents } = await place.client();
    await documents.insertOne({ _id: 1 });
    session.startTransaction();
    await documents.updateOne({ _id: 1 }, { $set: { by: 'the transaction' } }, { session });
    const change = { $set: { by: 'the other' } };
    await expect(documents.updateOne({ _id: 1 }, change, { maxTimeMS: 20 })).rejects.toThrow(
      MongoServerError,
    );
    const changed = documents.updateOne({ _id: 1 }, change);
    await place.standIn.expireTransactions();
    await changed;
    expect(place.standIn.counts).toMatchObject({ expired: 1 });
    await expect(session.commitTransaction()).rejects.toMatchObject({
      code: 251,
      errorLabels: ['TransientTransactionError'],
    });
    expect(await documents.findOne()).toEqual({ _id: 1, by: 'the other' });
  });
});
