import { describe, expect, it } from '@jest/globals';
import {
  DuplicateKeyError,
  FencedError,
  UnsupportedQueryError,
  type Collection,
  type Filter,
  type IndexDefinition,
  type Keyed,
  type Write,
} from '../../src/stores/read-store/port.js';
import { accounts, describeModels, put, unseen } from './support/read-store-given.js';
import { mongoPlace } from './support/read-store-places.js';
import { standIn } from '../support/stand-in.js';

describeModels((given) => {
  describe('large batches', () => {
    it('add new documents, replace older ones and let newer ones stand', async () => {
      const model = await given.newModel();
      const seenAt = (seen: number, ids: readonly number[]): Write[] =>
        ids.map((_id) => put({ _id, seen }, unseen(seen)));
      await model.commit([...seenAt(1, [1, 2, 3]), ...seenAt(9, [4, 5, 6])]);
      await model.commit([
        ...seenAt(5, [...Array.from({ length: 40 }, (_, at) => at + 1)]),
        { deleteOne: { filter: { _id: 40 } } },
        ...seenAt(6, [39, 40]),
      ]);
      const seen = (await model.all()).map((document) => document['seen']);
      expect(seen).toEqual([5, 5, 5, 9, 9, 9, ...Array<number>(32).fill(5), 6, 6]);
    });

    it('give a unique value to a new document after another one gave it up', async () => {
      const model = await given.newModel();
      const into = { definition: accounts };
      const others = Array.from({ length: 30 }, (_, at) => put({ _id: 10 + at, email: `e${at}` }));
      await model.commit([put({ _id: 1, email: 'a' }), put({ _id: 2, email: 'b' })], into);
      await model.commit(
        [
          ...others,
          put({ _id: 1, email: 'c' }),
          { deleteOne: { filter: { _id: 2 } } },
          put({ _id: 3, email: 'a' }),
          put({ _id: 4, email: 'b' }),
        ],
        into,
      );
      const emails = await model.collection(accounts).distinct('email', { _id: { $lt: 10 } });
      expect(emails).toEqual(['a', 'b', 'c']);
    });

    it('are refused for a second document with the same unique value', async () => {
      const model = await given.newModel();
      const many = Array.from({ length: 40 }, (_, at) => put({ _id: at, email: `e${at % 39}` }, unseen(3)));
      await expect(model.commit(many, { definition: accounts })).rejects.toThrow(DuplicateKeyError);
    });
  });

  describe('unique indexes', () => {
    it('refuse a second document with the same value', async () => {
      const model = await given.newModel();
      const into = { definition: accounts };
      await model.commit([put({ _id: 1, email: 'a' }), put({ _id: 2, email: 'A' }), put({ _id: 3 })], into);
      await expect(model.commit([put({ _id: 4, email: 'a' })], into)).rejects.toThrow(DuplicateKeyError);
      await expect(model.commit([put({ _id: 4, email: 'a' }, unseen(3))], into)).rejects.toThrow(
        DuplicateKeyError,
      );
      await model.commit([put({ _id: 1, email: 'b' }), put({ _id: 4, email: 'a' })], into);
      expect(await model.collection(accounts).distinct('email', {})).toEqual(['A', 'a', 'b']);
    });

    // FerretDB lets the first pass and calls the second an internal error; mongod refuses both.
    const onMongod = given.newPlace === mongoPlace ? it.skip : it;
    onMongod('refuse a second document without a value, and a change to a taken one', async () => {
      const model = await given.newModel();
      const into = { definition: accounts };
      await model.commit([put({ _id: 1 }), put({ _id: 2, email: 'a', seen: 1 })], into);
      await expect(model.commit([put({ _id: 3, email: null })], into)).rejects.toThrow(DuplicateKeyError);
      const taken = put({ _id: 1, email: 'a' }, unseen(3));
      await expect(model.commit([taken], into)).rejects.toThrow(DuplicateKeyError);
    });
  });

  describe('partial indexes', () => {
    const flagged: IndexDefinition[] = [
      { key: { channelId: 1, _id: 1 }, partialFilterExpression: { hasImage: true } },
      { key: { people: 1, _id: 1 }, multikey: 'people', partialFilterExpression: { hasImage: true } },
      { key: { size: 1, _id: 1 }, partialFilterExpression: { size: { $gt: 10 }, kind: "o'clock" } },
    ];
    const documents = Array.from({ length: 60 }, (_, _id) => ({
      _id,
      channelId: _id % 3,
      people: [_id % 4, 'all'],
      hasImage: _id % 5 === 0,
      size: _id,
      ...(_id % 2 === 0 && { kind: "o'clock" }),
    }));
    const questions: Filter[] = [
      { channelId: 1, hasImage: true },
      { channelId: { $in: [0, 2] }, hasImage: true, _id: { $lt: 40 } },
      { people: 3, hasImage: true },
      { people: 'all', hasImage: false },
      { people: 'all' },
      { size: { $gt: 10 }, kind: "o'clock" },
      { size: { $gt: 30 }, kind: "o'clock" },
      { size: { $in: [9, 12, 13] }, kind: "o'clock" },
      { size: 22, kind: { $in: ["o'clock", null] } },
      { $or: [{ channelId: 0, hasImage: true }, { people: 2, hasImage: true }, { size: 7 }] },
      { $nor: [{ hasImage: true }], channelId: 2 },
    ];

    async function things(indexes: readonly IndexDefinition[]): Promise<Collection<Keyed>> {
      const name = given.newName();
      const model = await given.store.openModel(name, 1, [{ name: `${name}_things`, indexes }]);
      const changes: Write[] = [
        ...documents.map((document) => put(document)),
        { updateOne: { filter: { _id: 10 }, update: { $set: { hasImage: false } } } },
        { updateOne: { filter: { _id: 11 }, update: { $set: { hasImage: true } } } },
        put({ _id: 15, channelId: 1, people: [3] }),
        { updateMany: { filter: { size: { $lt: 14 } }, update: { $inc: { size: 4 } } } },
        { deleteOne: { filter: { _id: 20 } } },
      ];
      const writes = changes.map((write) => ({ collection: `${name}_things`, write }));
      await model.commit({ writes, checkpoint: { position: 1 }, fencingToken: 1 });
      return model.collection(`${name}_things`);
    }

    it('change nothing about what is found, in either direction', async () => {
      const [partial, none] = [await things(flagged), await things([])];
      for (const filter of questions) {
        for (const order of [1, -1] as const) {
          const options = { sort: { _id: order }, limit: 7 };
          const expected = await none.find(filter, options);
          expect(expected).not.toEqual([]);
          expect(await partial.find(filter, options)).toEqual(expected);
          expect(await partial.countDocuments(filter)).toBe(await none.countDocuments(filter));
        }
      }
    });

    it.each<[string, IndexDefinition]>([
      ['null', { key: { a: 1 }, partialFilterExpression: { b: null as never } }],
      ['a list', { key: { a: 1 }, partialFilterExpression: { b: { $in: [1] } as never } }],
      ['nothing', { key: { a: 1 }, partialFilterExpression: {} }],
      ['an array', { key: { a: 1 }, multikey: 'a', partialFilterExpression: { a: 1 } }],
      ['what is unique', { key: { a: 1 }, unique: true, partialFilterExpression: { b: 1 } }],
    ])('are refused over %s', async (_what, index) => {
      const opened = given.store.openModel(given.newName(), 1, [{ name: 'things', indexes: [index] }]);
      await expect(opened).rejects.toThrow(UnsupportedQueryError);
    });
  });

  describe('a batch', () => {
    it('moves the checkpoint with its writes', async () => {
      const model = await given.newModel();
      expect(await model.store.checkpoint()).toEqual({ position: null });
      await model.commit([put({ _id: 1 })], { position: 41 });
      expect(await model.store.checkpoint()).toEqual({ position: 41 });
      await model.commit([], { position: 42 });
      expect(await model.store.checkpoint()).toEqual({ position: 42 });
    });

    it('leaves the checkpoint where it was when a write fails, and the documents too where batches are atomic', async () => {
      const model = await given.newModel();
      await model.commit([put({ _id: 1, text: 'a' })], { position: 1 });
      const writes: Write[] = [
        put({ _id: 2 }),
        { updateOne: { filter: { _id: 1 }, update: { $inc: { text: 1 } } } },
        put({ _id: 3 }),
      ];
      await expect(model.commit(writes, { position: 2 })).rejects.toThrow(UnsupportedQueryError);
      expect(await model.store.checkpoint()).toEqual({ position: 1 });
      expect(await model.ids({})).toEqual(given.store.atomicBatches ? [1] : [1, 2]);
    });

    it('is checked as a whole before anything of it is written', async () => {
      const model = await given.newModel();
      const writes = [
        put({ _id: 1 }),
        standIn<Write>({ updateOne: { filter: { _id: 1 }, update: { $bit: {} } } }),
      ];
      await expect(model.commit(writes)).rejects.toThrow(UnsupportedQueryError);
      expect(await model.all()).toEqual([]);
    });

    it('is refused under a lower token than the last, which wrote nothing', async () => {
      const model = await given.newModel();
      await model.commit([put({ _id: 1 })], { token: 2, position: 5 });
      await expect(model.commit([put({ _id: 2 })], { token: 1, position: 6 })).rejects.toThrow(FencedError);
      expect(await model.ids({})).toEqual([1]);
      expect(await model.store.checkpoint()).toEqual({ position: 5 });
      await model.commit([put({ _id: 3 })], { token: 2, position: 6 });
      await model.commit([put({ _id: 4 })], { token: 7, position: 7 });
      expect(await model.ids({})).toEqual([1, 3, 4]);
    });

    it('is refused after another writer has begun, which learns how far the first one came', async () => {
      const model = await given.newModel();
      expect(await model.store.fence(1)).toEqual({ position: null });
      await model.commit([put({ _id: 1 })], { token: 1, position: 5 });
      expect(await model.store.fence(2)).toEqual({ position: 5 });
      await expect(model.commit([put({ _id: 2 })], { token: 1, position: 6 })).rejects.toThrow(FencedError);
      await expect(model.store.fence(1)).rejects.toThrow(FencedError);
      expect(await model.ids({})).toEqual([1]);
    });

    it('may be large', async () => {
      // FerretDB looks for each document among all of them.
      const size = given.place.adapter === 'embedded' ? 2100 : 210;
      const model = await given.newModel();
      await model.commit(
        Array.from({ length: size }, (_, _id) => put({ _id, channel: _id % 5, people: [_id % 7] })),
      );
      expect(await model.collection().countDocuments({ channel: 3 })).toBe(size / 5);
      expect(await model.collection().countDocuments({ people: 6 })).toBe(size / 7);
    });

    it('goes into declared collections only', async () => {
      const model = await given.newModel();
      const writes = [{ collection: 'nowhere', write: put({ _id: 1 }) }];
      const commit = model.store.commit({ writes, checkpoint: { position: 1 }, fencingToken: 1 });
      await expect(commit).rejects.toThrow(UnsupportedQueryError);
      expect(() => model.store.collection('nowhere')).toThrow(UnsupportedQueryError);
    });
  });
});
