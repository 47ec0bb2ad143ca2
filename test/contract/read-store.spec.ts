import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DuplicateKeyError,
  FencedError,
  ModelRemovedError,
  UnsupportedQueryError,
  type Collection,
  type CollectionDefinition,
  type Filter,
  type FindOptions,
  type IndexDefinition,
  type Keyed,
  type ModelStore,
  type ReadStore,
  type Write,
} from '../../src/stores/read-store/port.js';
import { describeReadStores, mongoPlace, type ReadStorePlace } from './support/read-store-places.js';
import { standIn } from '../support/stand-in.js';

const messages: CollectionDefinition = {
  name: 'messages',
  indexes: [
    { key: { channel: 1, _id: -1 } },
    { key: { channel: 1, topic: 1, _id: 1 } },
    { key: { people: 1, _id: 1 }, multikey: 'people' },
  ],
};
const accounts: CollectionDefinition = { name: 'accounts', indexes: [{ key: { email: 1 }, unique: true }] };

const newestFirst: FindOptions = { sort: { _id: -1 } };

function put(document: Keyed, guard: Filter = {}): Write {
  return { replaceOne: { filter: { _id: document._id, ...guard }, replacement: document, upsert: true } };
}

function unseen(position: number): Filter {
  return { $nor: [{ seen: { $gte: position } }] };
}

describeReadStores((newPlace) => {
  let place: ReadStorePlace;
  let store: ReadStore;
  let names = 0;

  beforeAll(async () => {
    place = newPlace();
    store = await place.open();
  });
  afterAll(async () => {
    await store.close();
    await place.destroy();
  });

  /** A model that no other test uses. */
  class Model {
    readonly name = `model${++names}`;
    store!: ModelStore;

    /** Collections get the model's name in front, since they share a database. */
    private local(definition: CollectionDefinition): CollectionDefinition {
      return { ...definition, name: `${this.name}_${definition.name}` };
    }

    async open(version = 1, from = store): Promise<this> {
      this.store = await from.openModel(this.name, version, [this.local(messages), this.local(accounts)]);
      return this;
    }

    collection(definition = messages): Collection<Keyed> {
      return this.store.collection(this.local(definition).name);
    }

    /** Commits writes under a checkpoint and a token. */
    async commit(
      writes: readonly Write[],
      { definition = messages, position = 1, token = 1 } = {},
    ): Promise<void> {
      const collection = this.local(definition).name;
      await this.store.commit({
        writes: writes.map((write) => ({ collection, write })),
        checkpoint: { position },
        fencingToken: token,
      });
    }

    async ids(filter: Filter, options: FindOptions = { sort: { _id: 1 } }): Promise<(number | string)[]> {
      return (await this.collection().find(filter, options)).map(({ _id }) => _id);
    }

    all(): Promise<Keyed[]> {
      return this.collection().find({}, { sort: { _id: 1 } });
    }
  }

  const newModel = (): Promise<Model> => new Model().open();

  async function modelWith(documents: readonly Keyed[]): Promise<Model> {
    const model = await newModel();
    await model.commit(documents.map((document) => put(document)));
    return model;
  }

  describe('documents', () => {
    it('come back as they were put: nested, empty, null, negative, fractional, in every script', async () => {
      const documents: Keyed[] = [
        {
          _id: -7,
          nothing: null,
          empty: {},
          none: [],
          yes: true,
          ratio: -0.125,
          big: Number.MAX_SAFE_INTEGER,
        },
        {
          _id: 0,
          text: 'nul\0in the middle\0',
          emoji: '👩‍👩‍👧‍👦 🎉',
          quote: `"'\\\n\u2028`,
          nested: { deep: { list: [1, 'a', null] } },
        },
        standIn<Keyed>({ _id: 3, list: [{ a: 1 }, { a: [1, 2] }, {}], '': undefined }),
      ].map(({ '': _dropped, ...document }: Keyed & { ''?: unknown }) => document as Keyed);
      const model = await modelWith(documents);
      expect(await model.all()).toEqual(documents);
    });

    it('have numbers or strings as keys, which are never taken for each other', async () => {
      const model = await modelWith(
        [5, '5', 'nul\0', 'nul', '🎉', -1, 0.5].map((_id) => ({ _id, is: typeof _id })),
      );
      expect(await model.collection().findOne({ _id: 5 })).toEqual({ _id: 5, is: 'number' });
      expect(await model.collection().findOne({ _id: '5' })).toEqual({ _id: '5', is: 'string' });
      expect(await model.collection().findOne({ _id: 'nul\0' })).toEqual({ _id: 'nul\0', is: 'string' });
      expect(await model.ids({})).toEqual([-1, 0.5, 5, '5', 'nul', 'nul\0', '🎉']);
    });

    it('may be as large as a megabyte', async () => {
      const text = 'päl🎉'.repeat(150_000);
      const model = await modelWith([
        { _id: 1, text },
        { _id: 2, text },
      ]);
      expect((await model.all()).map((document) => document['text'] === text)).toEqual([true, true]);
    });

    it('leave out fields that are undefined, and repair unpaired surrogates', async () => {
      const model = await modelWith([
        { _id: 1, gone: undefined, half: 'a\ud83d', inner: { gone: undefined } },
      ]);
      expect(await model.all()).toEqual([{ _id: 1, half: 'a\ufffd', inner: {} }]);
      expect(Object.keys((await model.all())[0]!)).not.toContain('gone');
    });

    it.each<[string, unknown]>([
      ['a field name with a dot', { _id: 1, 'a.b': 1 }],
      ['a field name with a dollar sign', { _id: 1, inner: [{ $a: 1 }] }],
      ['an empty field name', { _id: 1, '': 1 }],
      ['an array in an array', { _id: 1, a: [[1]] }],
      ['undefined in an array', { _id: 1, a: [undefined] }],
      ['a number that is none', { _id: 1, a: NaN }],
      ['an infinite number', { _id: 1, a: { b: -Infinity } }],
      ['a date', { _id: 1, a: new Date(0) }],
      ['bytes', { _id: 1, a: Buffer.from('a') }],
      ['a large integer', { _id: 1, a: 1n }],
      ['no key', { a: 1 }],
      ['a key of another type', { _id: null }],
    ])('are refused with %s', async (_what, document) => {
      const model = await newModel();
      await expect(model.commit([put(document as Keyed)])).rejects.toThrow(UnsupportedQueryError);
      expect(await model.all()).toEqual([]);
    });
  });

  describe('filters', () => {
    const documents: Keyed[] = [
      { _id: 1, channel: 1, topic: 'a', people: [1, 2] },
      { _id: 2, channel: 1, topic: null, people: [] },
      { _id: 3, channel: '1', people: [3, null] },
      { _id: 4, channel: true, topic: 'b', people: 2 },
      { _id: 5, topic: '', reactions: [{ emoji: '🎉', by: [1, 2] }, { emoji: '👍' }] },
      { _id: 6, channel: 2.5, topic: '\uffff', reactions: [{ emoji: '👍', by: [3] }] },
      { _id: 7, channel: -1, topic: '😀', length: { characters: 7 } },
    ];
    let model: Model;
    beforeAll(async () => {
      model = await modelWith(documents);
    });

    it.each<[string, Filter, number[]]>([
      ['a number is not the string of it, nor true', { channel: 1 }, [1, 2]],
      ['a string is not the number of it', { channel: '1' }, [3]],
      ['true is not one', { channel: true }, [4]],
      ['null finds null and missing', { topic: null }, [2, 3]],
      ['$exists tells null from missing', { topic: { $exists: false } }, [3]],
      ['$exists finds null', { topic: { $exists: true, $in: [null] } }, [2]],
      ['$ne finds what is missing', { channel: { $ne: 1 } }, [3, 4, 5, 6, 7]],
      ['comparisons with numbers find numbers', { channel: { $gte: -1 } }, [1, 2, 6, 7]],
      ['comparisons with strings find strings', { topic: { $lte: 'b' } }, [1, 4, 5]],
      ['strings are compared by code point', { topic: { $gt: '\uffff' } }, [7]],
      ['both ends of a range hold', { channel: { $gt: 0, $lt: 2 } }, [1, 2]],
      ['a range over two types is empty', { channel: { $gt: 0, $lt: 'z' } }, []],
      ['$in tells types apart', { channel: { $in: [true, '1', null] } }, [3, 4, 5]],
      ['$in of nothing finds nothing', { channel: { $in: [] } }, []],
      ['$nin excludes', { channel: { $nin: [1, '1', null] } }, [4, 6, 7]],
      ['a value finds the arrays that contain it', { people: 2 }, [1, 4]],
      ['null finds arrays that contain it, not empty ones', { people: null }, [3, 5, 6, 7]],
      ['an array finds its equal', { people: [1, 2] }, [1]],
      ['an array in another order is another', { people: [2, 1] }, []],
      ['each condition may be met by another element', { people: { $gt: 1, $lt: 2 } }, [1]],
      ['$all finds arrays with all of them', { people: { $all: [1, 2] } }, [1]],
      ['$all of one finds a plain value too', { people: { $all: [2] } }, [1, 4]],
      ['$all of nothing finds nothing', { people: { $all: [] } }, []],
      ['$size counts elements of arrays', { people: { $size: 2 } }, [1, 3]],
      ['$size of a plain value is nothing', { people: { $size: 1 } }, []],
      ['paths go into objects', { 'length.characters': { $gt: 6 } }, [7]],
      ['paths go through the objects of arrays', { 'reactions.emoji': '👍' }, [5, 6]],
      ['paths go through arrays into arrays', { 'reactions.by': 3 }, [6]],
      ['$or finds either, once', { $or: [{ channel: 1 }, { topic: 'a' }, { people: 3 }] }, [1, 2, 3]],
      ['$and finds both', { $and: [{ people: 1 }, { people: 2 }] }, [1]],
      ['$nor finds neither', { $nor: [{ channel: 1 }, { topic: null }, { topic: { $gt: 'b' } }] }, [4, 5]],
      ['everything is found by nothing', {}, [1, 2, 3, 4, 5, 6, 7]],
    ])('%s', async (_rule, filter, expected) => {
      expect(await model.ids(filter)).toEqual(expected);
      expect(await model.collection().countDocuments(filter)).toBe(expected.length);
      expect(await model.ids(filter, { ...newestFirst, limit: 2 })).toEqual(
        expected.toReversed().slice(0, 2),
      );
      expect((await model.collection().findOne(filter, { sort: { _id: 1 } }))?._id).toBe(expected[0]);
    });

    it.each<[string, unknown]>([
      ['an unknown operator', { a: { $regex: 'x' } }],
      ['an unknown operator at the top', { $where: '1' }],
      ['$expr', { $expr: { $eq: ['$a', '$b'] } }],
      ['$not', { a: { $not: { $gt: 1 } } }],
      ['$elemMatch', { a: { $elemMatch: { b: 1 } } }],
      ['an object as a value', { a: { b: 1 } }],
      ['an empty condition', { a: {} }],
      ['undefined', { a: undefined }],
      ['a regular expression', { a: /x/ }],
      ['a date', { a: new Date(0) }],
      ['a number that is none', { a: NaN }],
      ['an order of booleans', { a: { $gt: true } }],
      ['an array in $in', { a: { $in: [[1]] } }],
      ['$in without an array', { a: { $in: 1 } }],
      ['$exists of a number', { a: { $exists: 1 } }],
      ['$size of a fraction', { a: { $size: 0.5 } }],
      ['an empty $or', { $or: [] }],
      ['an empty part of a path', { 'a..b': 1 }],
    ])('%s is refused', async (_what, filter) => {
      await expect(model.collection().find(filter as Filter)).rejects.toThrow(UnsupportedQueryError);
      await expect(model.collection().countDocuments(filter as Filter)).rejects.toThrow(
        UnsupportedQueryError,
      );
    });
  });

  describe('options', () => {
    let model: Model;
    beforeAll(async () => {
      const topics = ['b', null, 'a', 3, true, undefined, 'a'];
      model = await modelWith(
        topics.map((topic, _id) => ({ _id, topic, at: { hour: -_id }, tags: [{ n: _id, m: 1 }, {}] })),
      );
    });

    it('sort by type and then by value, falling as well as rising', async () => {
      expect(await model.ids({}, { sort: { topic: 1, _id: 1 } })).toEqual([1, 5, 3, 2, 6, 0, 4]);
      expect(await model.ids({}, { sort: { topic: -1, _id: 1 } })).toEqual([4, 0, 2, 6, 3, 1, 5]);
      expect(await model.ids({}, { sort: { 'at.hour': 1 }, limit: 2 })).toEqual([6, 5]);
    });

    it('cut out a window', async () => {
      expect(await model.ids({}, { ...newestFirst, skip: 2, limit: 3 })).toEqual([4, 3, 2]);
      expect(await model.ids({ _id: { $ne: 3 } }, { ...newestFirst, skip: 3, limit: 9 })).toEqual([2, 1, 0]);
      expect(await model.ids({}, { ...newestFirst, skip: 9 })).toEqual([]);
    });

    it('include the named fields and the key', async () => {
      const projection = { topic: 1, 'at.hour': 1, 'tags.n': 1, gone: 1 } as const;
      expect(await model.collection().findOne({ _id: 3 }, { projection })).toEqual({
        _id: 3,
        topic: 3,
        at: { hour: -3 },
        tags: [{ n: 3 }, {}],
      });
    });

    it.each<[string, unknown]>([
      ['a limit of zero', { limit: 0 }],
      ['a negative skip', { skip: -1 }],
      ['another direction', { sort: { a: 2 } }],
      ['an excluding projection', { projection: { a: 0 } }],
      ['a projection of a field and its inside', { projection: { a: 1, 'a.b': 1 } }],
    ])('refuse %s', async (_what, options) => {
      await expect(model.collection().find({}, options as FindOptions)).rejects.toThrow(
        UnsupportedQueryError,
      );
    });

    it('tell the different values at a path, those in arrays too, in order', async () => {
      expect(await model.collection().distinct('topic', {})).toEqual([null, 3, 'a', 'b', true]);
      expect(await model.collection().distinct('tags.n', { _id: { $gt: 3 } })).toEqual([4, 5, 6]);
      expect(await model.collection().distinct('gone', {})).toEqual([]);
      const grouped = await modelWith([
        { _id: 1, people: [3, 1] },
        { _id: 2, people: [2] },
        { _id: 3, people: 3 },
        { _id: 4, people: [3, 9] },
      ]);
      expect(await grouped.collection().distinct('people', { people: 3 })).toEqual([1, 3, 9]);
    });
  });

  describe('the history of many branches', () => {
    const branches = 1000;
    const filter: Filter = {
      $or: Array.from({ length: branches }, (_, channel) => ({ channel, _id: { $gt: 0 } })),
    };

    it('is read newest first, each document once', async () => {
      const documents = Array.from({ length: 60 }, (_, at) => ({
        _id: at + 1,
        channel: (at * 37) % 1200,
        people: [at % 3],
      }));
      const model = await modelWith(documents);
      const readable = documents.filter(({ channel }) => channel < branches).map(({ _id }) => _id);
      expect(await model.ids(filter, { ...newestFirst, limit: 20 })).toEqual(
        readable.toReversed().slice(0, 20),
      );
      expect(await model.ids(filter, { sort: { _id: 1 }, limit: 20, skip: 5 })).toEqual(
        readable.slice(5, 25),
      );
      const withDirect: Filter = {
        $or: [...filter.$or!, { people: 1 }, { $and: [{ people: 2 }, { channel: 5 }] }],
      };
      const either = documents
        .filter(({ channel, people }) => channel < branches || people[0] === 1)
        .map(({ _id }) => _id);
      expect(await model.ids(withDirect, { ...newestFirst, limit: 50 })).toEqual(
        either.toReversed().slice(0, 50),
      );
      const listed: Filter = {
        channel: { $in: Array.from({ length: branches }, (_, channel) => channel) },
        people: { $ne: 0 },
      };
      const expected = documents
        .filter(({ channel, people }) => channel < branches && people[0] !== 0)
        .map(({ _id }) => _id);
      expect(await model.ids(listed, { ...newestFirst, limit: 10 })).toEqual(
        expected.toReversed().slice(0, 10),
      );
    });
  });

  describe('branches that overlap', () => {
    it.each<[string, Filter, number[]]>([
      ['the same twice', { $or: [{ channel: 1 }, { channel: 1 }, { channel: 2 }] }, [11, 10, 8, 7, 5, 4]],
      ['one within another', { $or: [{ channel: 1 }, { channel: 1, _id: { $gt: 4 } }] }, [10, 7, 4, 1]],
      [
        'one that says it twice',
        { $or: [{ channel: 1, $and: [{ channel: 1 }] }, { channel: 9 }] },
        [10, 7, 4, 1],
      ],
      [
        'one that contradicts itself',
        { $or: [{ channel: 1, $and: [{ channel: 2 }] }, { channel: 0 }] },
        [9, 6, 3, 0],
      ],
      [
        'through an array',
        { $or: [{ people: 1 }, { people: 'all', channel: 1 }, { people: 1 }] },
        [11, 10, 9, 7, 5, 4],
      ],
    ])('give each document once: %s', async (_what, filter, expected) => {
      const model = await modelWith(
        Array.from({ length: 12 }, (_, _id) => ({ _id, channel: _id % 3, people: [_id % 2, 'all', _id] })),
      );
      expect(await model.ids(filter, { ...newestFirst, limit: 6 })).toEqual(expected);
    });
  });

  describe('updates', () => {
    async function after(document: Keyed, update: unknown): Promise<Keyed | null> {
      const model = await modelWith([document]);
      const { _id } = document;
      await model.commit([{ updateOne: { filter: { _id }, update: update as object } }], { position: 2 });
      return model.collection().findOne({ _id });
    }

    it('set, unset, count and keep extremes, also inside objects that they make', async () => {
      expect(
        await after(
          { _id: 1, n: 5, gone: 1, low: 3, high: 3, inner: { a: 1 } },
          {
            $set: { 'inner.b.c': [1] },
            $unset: { gone: true, absent: '' },
            $inc: { n: -7, fresh: 2 },
            $min: { low: 2, min: 1 },
            $max: { high: 2 },
          },
        ),
      ).toEqual({ _id: 1, n: -2, low: 2, high: 3, inner: { a: 1, b: { c: [1] } }, fresh: 2, min: 1 });
    });

    it('add to and take from arrays', async () => {
      expect(
        await after(
          { _id: 1, list: [1, 2], set: [1, { a: 1 }], less: [1, 2, 1, null] },
          {
            $push: { list: 2, made: 'x' },
            $addToSet: { set: { a: 1 }, other: 1 },
            $pull: { less: 1, absent: 1 },
          },
        ),
      ).toEqual({ _id: 1, list: [1, 2, 2], made: ['x'], set: [1, { a: 1 }], other: [1], less: [2, null] });
    });

    it.each<[string, unknown]>([
      ['$inc of a string', { $inc: { text: 1 } }],
      ['$push to a string', { $push: { text: 1 } }],
      ['$pull from a string', { $pull: { text: 1 } }],
      ['a path through a string', { $set: { 'text.a': 1 } }],
      ['nothing at all', {}],
      ['a replacement', { text: 'b' }],
      ['an unknown operator', { $rename: { text: 'b' } }],
      ['two changes of one field', { $set: { a: 1 }, $inc: { a: 1 } }],
      ['changes of a field and its inside', { $set: { a: {}, 'a.b': 1 } }],
      ['a change of the key', { $set: { _id: 2 } }],
      ['a field name with a dollar sign', { $set: { a: { $b: 1 } } }],
      ['an array in an array', { $push: { list: [1] } }],
      ['$each', { $push: { list: { $each: [1] } } }],
      ['$pull by a condition', { $pull: { list: { $gt: 1 } } }],
      ['$inc by a string', { $inc: { a: '1' } }],
    ])('are refused: %s', async (_what, update) => {
      await expect(after({ _id: 1, text: 'a', list: [] }, update)).rejects.toThrow(UnsupportedQueryError);
    });

    it('change every document that matches, and only those', async () => {
      const model = await modelWith([1, 2, 3, 4].map((_id) => ({ _id, channel: _id % 2, people: [_id] })));
      await model.commit([
        { updateMany: { filter: { channel: 1 }, update: { $set: { channel: 0 }, $push: { people: 9 } } } },
        { deleteMany: { filter: { people: 2 } } },
        { deleteOne: { filter: { _id: 4, channel: 5 } } },
      ]);
      expect(await model.all()).toEqual([
        { _id: 1, channel: 0, people: [1, 9] },
        { _id: 3, channel: 0, people: [3, 9] },
        { _id: 4, channel: 0, people: [4] },
      ]);
      expect(await model.ids({ people: 9 })).toEqual([1, 3]);
      expect(await model.ids({ people: 2 })).toEqual([]);
      await model.commit([{ deleteOne: { filter: { _id: 3 } } }]);
      expect(await model.ids({ people: 9, channel: 0 })).toEqual([1]);
    });

    it('upsert under the key of the filter alone', async () => {
      const model = await newModel();
      const write: Write = {
        updateOne: { filter: { _id: 7, n: { $lt: 5 } }, update: { $inc: { n: 3 } }, upsert: true },
      };
      await model.commit([write, write]);
      expect(await model.all()).toEqual([{ _id: 7, n: 6 }]);
      await model.commit([write]);
      expect(await model.all()).toEqual([{ _id: 7, n: 6 }]);
    });

    it.each<[string, Write]>([
      [
        'an upsert without a key',
        { updateOne: { filter: { n: 1 }, update: { $set: { a: 1 } }, upsert: true } },
      ],
      [
        'an upsert by an equality',
        { updateOne: { filter: { _id: 1, n: 1 }, update: { $set: { a: 1 } }, upsert: true } },
      ],
      ['a replacement under another key', { replaceOne: { filter: { _id: 1 }, replacement: { _id: 2 } } }],
      ['a replacement by another field', { replaceOne: { filter: { n: 1 }, replacement: { _id: 2 } } }],
    ])('refuse %s', async (_what, write) => {
      const model = await newModel();
      await expect(model.commit([write])).rejects.toThrow(UnsupportedQueryError);
    });
  });

  describe('guards', () => {
    it('let a newer document stand, without an error', async () => {
      const model = await newModel();
      await model.commit([put({ _id: 1, seen: 5, text: 'new' }, unseen(5))]);
      await model.commit([
        put({ _id: 1, seen: 4, text: 'old' }, unseen(4)),
        put({ _id: 2, seen: 4 }, unseen(4)),
      ]);
      expect(await model.all()).toEqual([
        { _id: 1, seen: 5, text: 'new' },
        { _id: 2, seen: 4 },
      ]);
      await model.commit([put({ _id: 1, seen: 6, text: 'newest' }, unseen(6))]);
      expect(await model.collection().findOne({ _id: 1 })).toEqual({ _id: 1, seen: 6, text: 'newest' });
    });

    it('let a batch be committed again without effect, also when half of it was committed', async () => {
      const batch = Array.from({ length: 30 }, (_, at): Write => {
        const [_id, position] = [at % 10, at + 1];
        if (at % 7 === 3)
          return {
            updateOne: {
              filter: { _id, ...unseen(position) },
              update: { $inc: { n: 1 }, $set: { seen: position } },
              upsert: true,
            },
          };
        return put({ _id, seen: position, n: at }, unseen(position));
      });
      const [once, twice] = [await newModel(), await newModel()];
      await once.commit(batch);
      await twice.commit(batch.slice(0, 17));
      for (let replay = 0; replay < 3; replay++) await twice.commit(batch);
      expect(await twice.all()).toEqual(await once.all());
      expect(await twice.all()).toHaveLength(10);
    });

    it('let a document be removed and made again in one batch', async () => {
      const model = await modelWith([
        { _id: 1, seen: 9 },
        { _id: 2, seen: 9 },
      ]);
      await model.commit([
        put({ _id: 2, seen: 3 }, unseen(3)),
        { deleteOne: { filter: { _id: 1 } } },
        put({ _id: 1, seen: 3, again: true }, unseen(3)),
        { deleteMany: { filter: { _id: 2 } } },
        put({ _id: 2, seen: 4, again: true }, unseen(4)),
      ]);
      expect(await model.all()).toEqual([
        { _id: 1, seen: 3, again: true },
        { _id: 2, seen: 4, again: true },
      ]);
    });
  });

  describe('large batches', () => {
    it('add new documents, replace older ones and let newer ones stand', async () => {
      const model = await newModel();
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
      const model = await newModel();
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
      const model = await newModel();
      const many = Array.from({ length: 40 }, (_, at) => put({ _id: at, email: `e${at % 39}` }, unseen(3)));
      await expect(model.commit(many, { definition: accounts })).rejects.toThrow(DuplicateKeyError);
    });
  });

  describe('unique indexes', () => {
    it('refuse a second document with the same value', async () => {
      const model = await newModel();
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
    const onMongod = newPlace === mongoPlace ? it.skip : it;
    onMongod('refuse a second document without a value, and a change to a taken one', async () => {
      const model = await newModel();
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
      const name = `model${++names}`;
      const model = await store.openModel(name, 1, [{ name: `${name}_things`, indexes }]);
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
      const opened = store.openModel(`model${++names}`, 1, [{ name: 'things', indexes: [index] }]);
      await expect(opened).rejects.toThrow(UnsupportedQueryError);
    });
  });

  describe('a batch', () => {
    it('moves the checkpoint with its writes', async () => {
      const model = await newModel();
      expect(await model.store.checkpoint()).toEqual({ position: null });
      await model.commit([put({ _id: 1 })], { position: 41 });
      expect(await model.store.checkpoint()).toEqual({ position: 41 });
      await model.commit([], { position: 42 });
      expect(await model.store.checkpoint()).toEqual({ position: 42 });
    });

    it('leaves the checkpoint where it was when a write fails, and the documents too where batches are atomic', async () => {
      const model = await newModel();
      await model.commit([put({ _id: 1, text: 'a' })], { position: 1 });
      const writes: Write[] = [
        put({ _id: 2 }),
        { updateOne: { filter: { _id: 1 }, update: { $inc: { text: 1 } } } },
        put({ _id: 3 }),
      ];
      await expect(model.commit(writes, { position: 2 })).rejects.toThrow(UnsupportedQueryError);
      expect(await model.store.checkpoint()).toEqual({ position: 1 });
      expect(await model.ids({})).toEqual(store.atomicBatches ? [1] : [1, 2]);
    });

    it('is checked as a whole before anything of it is written', async () => {
      const model = await newModel();
      const writes = [
        put({ _id: 1 }),
        standIn<Write>({ updateOne: { filter: { _id: 1 }, update: { $bit: {} } } }),
      ];
      await expect(model.commit(writes)).rejects.toThrow(UnsupportedQueryError);
      expect(await model.all()).toEqual([]);
    });

    it('is refused under a lower token than the last, which wrote nothing', async () => {
      const model = await newModel();
      await model.commit([put({ _id: 1 })], { token: 2, position: 5 });
      await expect(model.commit([put({ _id: 2 })], { token: 1, position: 6 })).rejects.toThrow(FencedError);
      expect(await model.ids({})).toEqual([1]);
      expect(await model.store.checkpoint()).toEqual({ position: 5 });
      await model.commit([put({ _id: 3 })], { token: 2, position: 6 });
      await model.commit([put({ _id: 4 })], { token: 7, position: 7 });
      expect(await model.ids({})).toEqual([1, 3, 4]);
    });

    it('is refused after another writer has begun, which learns how far the first one came', async () => {
      const model = await newModel();
      expect(await model.store.fence(1)).toEqual({ position: null });
      await model.commit([put({ _id: 1 })], { token: 1, position: 5 });
      expect(await model.store.fence(2)).toEqual({ position: 5 });
      await expect(model.commit([put({ _id: 2 })], { token: 1, position: 6 })).rejects.toThrow(FencedError);
      await expect(model.store.fence(1)).rejects.toThrow(FencedError);
      expect(await model.ids({})).toEqual([1]);
    });

    it('may be large', async () => {
      // FerretDB looks for each document among all of them.
      const size = place.adapter === 'embedded' ? 2100 : 210;
      const model = await newModel();
      await model.commit(
        Array.from({ length: size }, (_, _id) => put({ _id, channel: _id % 5, people: [_id % 7] })),
      );
      expect(await model.collection().countDocuments({ channel: 3 })).toBe(size / 5);
      expect(await model.collection().countDocuments({ people: 6 })).toBe(size / 7);
    });

    it('goes into declared collections only', async () => {
      const model = await newModel();
      const writes = [{ collection: 'nowhere', write: put({ _id: 1 }) }];
      const commit = model.store.commit({ writes, checkpoint: { position: 1 }, fencingToken: 1 });
      await expect(commit).rejects.toThrow(UnsupportedQueryError);
      expect(() => model.store.collection('nowhere')).toThrow(UnsupportedQueryError);
    });
  });

  describe('models', () => {
    it('keep their versions apart, and lose one without harm to the other', async () => {
      const model = new Model();
      await model.open(1);
      await model.commit([put({ _id: 1, of: 'first' })], { position: 1 });
      await model.open(12);
      await model.commit([put({ _id: 1, of: 'second' })], { position: 2 });
      expect(await store.modelVersions(model.name)).toEqual([1, 12]);
      expect(await store.dropModel(model.name, 1)).toBe(true);
      expect(await store.modelVersions(model.name)).toEqual([12]);
      expect(await model.all()).toEqual([{ _id: 1, of: 'second' }]);
      await store.dropModel(model.name, 12);
      await store.dropModel(model.name, 99);
    });

    it('never reuse the number of a dropped version, in any process', async () => {
      const other = await place.open();
      const model = new Model();
      await model.open(3);
      await model.open(7);
      await store.dropModel(model.name, 7);
      expect(await other.modelVersions(model.name)).toEqual([3]);
      expect(await other.usedVersions(model.name)).toEqual([3, 7]);
      await expect(model.open(7)).rejects.toThrow(ModelRemovedError);
      await expect(model.open(7, other)).rejects.toThrow(ModelRemovedError);
      expect(await other.dropModel(model.name, 7)).toBe(true);
      expect(await store.usedVersions(model.name)).toEqual([3, 7]);
      await other.close();
    });

    it('that were dropped refuse further writes, in any process', async () => {
      const other = await place.open();
      const model = new Model();
      await model.open(1);
      const theirs = new Model();
      Object.assign(theirs, { name: model.name });
      await theirs.open(1, other);
      await theirs.commit([put({ _id: 1 })], { position: 1 });
      await store.dropModel(model.name, 1);
      await other.releaseDropped();
      await expect(theirs.commit([put({ _id: 2 })], { position: 2 })).rejects.toThrow(ModelRemovedError);
      await expect(theirs.store.fence(9)).rejects.toThrow(ModelRemovedError);
      await expect(model.store.fence(9)).rejects.toThrow(ModelRemovedError);
      await other.close();
    });

    it('cannot be dropped while they serve, nor serve once they were dropped', async () => {
      const model = new Model();
      await model.open(1);
      await model.open(2);
      await store.switchVersion(model.name, null, 1);
      expect(await store.dropModel(model.name, 1)).toBe(false);
      expect(await store.modelVersions(model.name)).toEqual([1, 2]);
      expect(await store.dropModel(model.name, 2)).toBe(true);
      expect(await store.switchVersion(model.name, 1, 2)).toBe(false);
      expect(await store.servingVersion(model.name)).toBe(1);
    });

    it('are dropped or begin to serve, never both, however two processes race', async () => {
      const other = await place.open();
      for (let race = 0; race < 5; race += 1) {
        const model = new Model();
        await model.open(1);
        await model.open(2);
        await store.switchVersion(model.name, null, 1);
        const [switched, dropped] = await Promise.all([
          store.switchVersion(model.name, 1, 2),
          other.dropModel(model.name, 2),
        ]);
        expect(switched).toBe(!dropped);
        expect(await store.servingVersion(model.name)).toBe(switched ? 2 : 1);
      }
      await other.close();
    });

    it('are seen by other nodes that share the place', async () => {
      const other = await place.open();
      const model = new Model();
      const theirs = new Model();
      Object.assign(theirs, { name: model.name });
      await theirs.open(1, other);
      await model.open(1);
      await model.commit([put({ _id: 1 })], { position: 3 });
      expect(await theirs.all()).toEqual([{ _id: 1 }]);
      expect(await theirs.store.checkpoint()).toEqual({ position: 3 });
      await other.close();
    });

    it('keep their documents when other indexes are declared', async () => {
      const name = `model${++names}`;
      const documents = Array.from({ length: 30 }, (_, _id) => ({ _id, a: _id % 3, tags: [_id % 2, 'x'] }));
      const first = await store.openModel(name, 1, [
        { name: `${name}_things`, indexes: [{ key: { a: 1 } }] },
      ]);
      const writes = documents.map((document) => ({ collection: `${name}_things`, write: put(document) }));
      await first.commit({ writes, checkpoint: { position: 8 }, fencingToken: 1 });
      const second = await store.openModel(name, 1, [
        { name: `${name}_things`, indexes: [{ key: { tags: 1, _id: -1 }, multikey: 'tags' }] },
      ]);
      const things = second.collection(`${name}_things`);
      expect(await second.checkpoint()).toEqual({ position: 8 });
      expect(await things.find({ tags: 1 }, newestFirst)).toEqual(
        documents.filter(({ tags }) => tags[0] === 1).toReversed(),
      );
    });

    it.each([
      ['../up', 1],
      ['a__v1', 1],
      ['', 1],
      ['a', 0],
      ['a', 1.5],
    ])('refuse the name %j, version %d', async (name, version) => {
      await expect(store.openModel(name, version, [])).rejects.toThrow(UnsupportedQueryError);
    });

    it('serve the version that was switched to, and refuse a switch from another', async () => {
      expect(await store.servingVersion('served')).toBeNull();
      expect(await store.switchVersion('served', 1, 2)).toBe(false);
      expect(await store.switchVersion('served', null, 1)).toBe(true);
      expect(await store.switchVersion('served', null, 2)).toBe(false);
      expect(await store.switchVersion('served', 1, 2)).toBe(true);
      expect(await store.switchVersion('served', 2, 1)).toBe(true);
      expect(await store.servingVersion('served')).toBe(1);
      expect(await store.servingVersion('other')).toBeNull();
    });

    it('let one of several switches from the same version through', async () => {
      await store.switchVersion('raced', null, 1);
      const switched = await Promise.all([2, 3, 4, 5].map((to) => store.switchVersion('raced', 1, to)));
      expect(switched.filter(Boolean)).toHaveLength(1);
      expect(await store.servingVersion('raced')).toBe(switched.indexOf(true) + 2);
    });
  });

  describe('leases', () => {
    const long = 600_000;
    let others: ReadStore[] = [];
    afterEach(async () => {
      for (const other of others) await other.close();
      others = [];
    });

    it('are held by one, renewed by it, and handed on with a higher token', async () => {
      expect(await store.acquireLease('lease', 'a', long)).toEqual({ token: 1 });
      expect(await store.acquireLease('lease', 'b', long)).toBeNull();
      expect(await store.acquireLease('lease', 'a', long)).toEqual({ token: 1 });
      await store.releaseLease('lease', 'b');
      expect(await store.acquireLease('lease', 'b', long)).toBeNull();
      await store.releaseLease('lease', 'a');
      expect(await store.acquireLease('lease', 'b', long)).toEqual({ token: 2 });
      expect(await store.acquireLease('unrelated', 'a', long)).toEqual({ token: 1 });
    });

    it('run out', async () => {
      expect(await store.acquireLease('short', 'a', 0)).toEqual({ token: 1 });
      expect(await store.acquireLease('short', 'b', long)).toEqual({ token: 2 });
      expect(await store.acquireLease('short', 'a', long)).toBeNull();
    });

    it('have one holder after a race, however often it is run', async () => {
      others = await Promise.all([place.open(), place.open(), place.open()]);
      for (let round = 1; round <= 10; round++) {
        const taken = await Promise.all(
          [store, ...others].flatMap((node, at) =>
            [1, 2, 3].map((runner) => node.acquireLease('raced', `${at}-${runner}`, long)),
          ),
        );
        expect(taken.filter((lease) => lease !== null)).toEqual([{ token: round }]);
        const winner = taken.findIndex((lease) => lease !== null);
        await store.releaseLease('raced', `${Math.floor(winner / 3)}-${(winner % 3) + 1}`);
      }
    });
  });
});
