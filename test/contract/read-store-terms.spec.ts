import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import {
  UnsupportedQueryError,
  type CollectionDefinition,
  type Filter,
  type FindOptions,
  type Keyed,
  type ModelStore,
  type ReadStore,
  type Write,
} from '../../src/stores/read-store/port.js';
import { describeReadStores, embeddedPlace, type ReadStorePlace } from './support/read-store-places.js';
import { texts } from './support/read-store-texts.js';

const complete = { a: 0, b: null, c: false, content: 'red', free: { x: 1, y: [] }, n: { x: 1 }, t: [] };

function put(document: Keyed): Write {
  return { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } };
}

async function commit(model: ModelStore, writes: readonly Write[]): Promise<void> {
  const placed = writes.map((write) => ({ collection: texts.name, write }));
  await model.commit({ writes: placed, checkpoint: { position: 1 }, fencingToken: 1 });
}

describeReadStores((newPlace) => {
  let place: ReadStorePlace;
  let store: ReadStore;
  let model: ModelStore;

  beforeAll(async () => {
    place = newPlace();
    store = await place.open();
    model = await store.openModel('texts', 1, [texts]);
    await commit(model, [put({ ...complete, _id: 1 }), put({ ...complete, _id: 2, content: 'green blue' })]);
  });
  afterAll(async () => {
    await store.close();
    await place.destroy();
  });

  it.each<[string, Filter, FindOptions]>([
    ['compared', { words: { $gt: 'red' } }, {}],
    ['missing', { words: { $exists: false } }, {}],
    ['null', { words: null }, {}],
    ['a list', { words: ['red'] }, {}],
    ['with a blank in it', { words: 'light red' }, {}],
    ['with a capital letter', { words: 'Red' }, {}],
    ['in quotation marks', { words: '"red"' }, {}],
    ['part of another path', { 'words.x': 'red' }, {}],
    ['deep in a filter', { $or: [{ a: 1 }, { $nor: [{ words: { $size: 1 } }] }] }, {}],
    ['sorted by', {}, { sort: { words: 1 } }],
    ['shown', {}, { projection: { words: 1 } }],
  ])('refuses terms that are %s', async (_name, filter, options) => {
    await expect(model.collection(texts.name).find(filter, options)).rejects.toThrow(UnsupportedQueryError);
  });

  it.each<[string, Write]>([
    ['asks for terms', { deleteMany: { filter: { words: 'red' } } }],
    ['changes a text', { updateMany: { filter: {}, update: { $set: { content: 'blue' } } } }],
    ['changes terms', { updateMany: { filter: {}, update: { $push: { words: 'blue' } } } }],
    ['stores terms', put({ ...complete, _id: 3, words: ['red'] })],
    ['has a text as its key', put({ ...complete, _id: '3' })],
    ['has a fraction as its key', put({ ...complete, _id: 2.5 })],
    ['leaves a field with a default out', put({ _id: 3, content: 'red' })],
    ['removes a field with a default', { updateMany: { filter: {}, update: { $unset: { a: '' } } } }],
    [
      'makes a document of an update',
      { updateOne: { filter: { _id: 3 }, update: { $set: { a: 1 } }, upsert: true } },
    ],
  ])('refuses a write that %s', async (_name, write) => {
    await expect(commit(model, [write])).rejects.toThrow(UnsupportedQueryError);
    expect(await model.collection(texts.name).countDocuments({})).toBe(2);
  });

  it('shows no terms', async () => {
    const documents = await model.collection(texts.name).find({ words: 'blue' });
    expect(documents).toEqual([{ ...complete, _id: 2, content: 'green blue' }]);
  });
});

describe('the embedded read store', () => {
  let place: ReturnType<typeof embeddedPlace>;

  beforeAll(() => {
    place = embeddedPlace();
  });
  afterAll(() => place.destroy());

  function contents(): string {
    const files = readdirSync(place.directory).filter((file) => file.startsWith('texts__'));
    return files.map((file) => readFileSync(join(place.directory, file), 'latin1')).join('\n');
  }

  it('keeps nothing of the words of a text that was replaced or deleted', async () => {
    const store = openEmbeddedReadStore(place);
    const model = await store.openModel('texts', 1, [texts]);
    await commit(model, [
      put({ ...complete, _id: 1, content: 'confidential red' }),
      put({ ...complete, _id: 2, content: 'classified green' }),
      put({ ...complete, _id: 3, content: 'harmless blue' }),
    ]);
    await commit(model, [
      put({ ...complete, _id: 1, content: 'red' }),
      { deleteOne: { filter: { _id: 2 } } },
    ]);
    expect(
      await model.collection(texts.name).find({ words: { $in: ['confidential', 'classified'] } }),
    ).toEqual([]);
    await store.scrub();
    await store.close();
    const kept = contents();
    expect(kept).toContain('harmless');
    expect(kept).not.toContain('onfidential');
    expect(kept).not.toContain('lassified');
  });

  it.each<[string, Filter]>([
    ['a term', { words: 'red' }],
    ['several', { words: { $all: ['red', 'green'] } }],
    ['a term among documents that are named', { words: 'red', _id: { $in: [1, 2] } }],
  ])('begins within the window of a page and ends with it, looking for %s', async (_what, asked) => {
    const store = openEmbeddedReadStore(place);
    const model = await store.openModel('texts', 3, [texts]);
    const read = jest.spyOn(Connection.prototype, 'row');
    for (const direction of [1, -1] as const) {
      const filter = { $and: [asked, { _id: { $gte: 2, $lte: 900 } }] };
      const page = { sort: { _id: direction }, limit: 10, projection: { _id: 1 } } as const;
      await model.collection(texts.name).find(filter, page);
    }
    const statements = read.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('MATCH'));
    read.mockRestore();
    await store.close();
    expect(statements).toHaveLength(2);
    const database = new Database(join(place.directory, 'texts__v3.sqlite'));
    for (const sql of statements) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
      const steps = plan.map(({ detail }) => detail);
      // The index of terms is given both ends of the window, and answers in order.
      expect(steps).toContainEqual(expect.stringMatching(/^SCAN entry VIRTUAL TABLE INDEX \d+:.*[<>].*[<>]/));
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    }
    database.close();
  });

  it('carries documents over to other defaults', async () => {
    const stored: readonly Keyed[] = [
      { ...complete, _id: 1 },
      { ...complete, _id: 2, a: 7, t: [1] },
    ];
    const first = openEmbeddedReadStore(place);
    await commit(await first.openModel('texts', 2, [texts]), stored.map(put));
    await first.close();
    const others: readonly CollectionDefinition[] = [
      { ...texts, defaults: { ...complete, a: 7, t: [1] } },
      { name: texts.name, indexes: texts.indexes },
      texts,
    ];
    for (const definition of others) {
      const store = openEmbeddedReadStore(place);
      const model = await store.openModel('texts', 2, [definition]);
      expect(await model.collection(texts.name).find({}, { sort: { _id: 1 } })).toEqual(stored);
      await store.close();
    }
  });
});
