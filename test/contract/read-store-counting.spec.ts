import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection, CollectionDefinition, Keyed, ReadStore } from '../../src/stores/read-store/port.js';
import { mongoUrl } from './mongo-database.js';
import { interruptiblePlace, mongoPlace, type ReadStorePlace } from './support/read-store-places.js';

const numbers: CollectionDefinition = {
  name: 'numbers',
  indexes: [{ key: { parity: 1, _id: 1 } }, { key: { third: 1, _id: 1 } }],
};
const count = 400;

function suite(newPlace: () => ReadStorePlace): void {
  let place: ReadStorePlace;
  let store: ReadStore;
  let collection: Collection<Keyed>;
  let told: number[] = [];

  beforeAll(async () => {
    place = newPlace();
    const rowsRead = (rows: number): void => void told.push(rows);
    store = await place.open({ deadline: () => null, running: () => {}, rowsRead });
    const model = await store.openModel('counted', 1, [numbers]);
    await model.commit({
      writes: Array.from({ length: count }, (_, _id) => {
        const replacement = { _id, parity: _id % 2, third: _id % 3, text: `number ${_id}` };
        const write = { replaceOne: { filter: { _id }, replacement, upsert: true } };
        return { collection: 'numbers', write };
      }),
      checkpoint: { position: 1 },
      fencingToken: 1,
    });
    collection = model.collection('numbers');
  });

  afterAll(async () => {
    await store.close();
    await place.destroy();
  });

  /** How many rows the store tells for a read. */
  async function rowsOf(read: () => Promise<unknown>): Promise<number> {
    told = [];
    await read();
    return told.reduce((sum, rows) => sum + rows, 0);
  }

  it.each<[string, number, () => Promise<unknown>]>([
    ['a document by its key', 1, () => collection.findOne({ _id: 7 })],
    ['a document that is not there', 0, () => collection.findOne({ _id: -7 })],
    ['a page', 30, () => collection.find({ parity: 1 }, { sort: { _id: 1 }, limit: 30 })],
    ['a large page', 300, () => collection.find({}, { sort: { _id: 1 }, limit: 300 })],
    ['a page of keys', 30, () => collection.find({ parity: 1 }, { limit: 30, projection: { _id: 1 } })],
    ['all documents', count, () => collection.find({})],
    ['a count', count / 2, () => collection.countDocuments({ parity: 0 })],
    ['different values', 3, () => collection.distinct('third', {})],
  ])('tells how many rows it read for %s', async (_what, rows, read) => {
    expect(await rowsOf(read)).toBe(rows);
  });

  it('tells it once for each statement, not for each row', async () => {
    await rowsOf(() => collection.find({}));
    expect(told).toEqual([count]);
  });
}

describe('embedded', () => {
  suite(interruptiblePlace);

  it('tells of documents that are read and then discarded', async () => {
    const place = interruptiblePlace();
    let rows = 0;
    const store = await place.open({
      deadline: () => null,
      running: () => {},
      rowsRead: (read) => (rows += read),
    });
    const model = await store.openModel('counted', 1, [numbers]);
    await model.commit({
      writes: [1, 2, 3].map((_id) => ({
        collection: 'numbers',
        write: { replaceOne: { filter: { _id }, replacement: { _id, list: [{ a: _id }] }, upsert: true } },
      })),
      checkpoint: { position: 1 },
      fencingToken: 1,
    });
    expect(await model.collection('numbers').find({ 'list.a': 2 })).toHaveLength(1);
    expect(rows).toBe(3);
    await store.close();
    await place.destroy();
  });
});

if (mongoUrl === undefined)
  describe.skip('mongodb (NOT RUN: MONGODB_URL is not set)', () => suite(mongoPlace));
else describe('mongodb', () => suite(mongoPlace));
