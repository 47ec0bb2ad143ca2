import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  UnsupportedQueryError,
  type Filter,
  type FindOptions,
  type Keyed,
} from '../../src/stores/read-store/port.js';
import { describeModels, newestFirst, type Model } from './support/read-store-given.js';

describeModels((given) => {
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
      model = await given.modelWith(documents);
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
      model = await given.modelWith(
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
      const grouped = await given.modelWith([
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
      const model = await given.modelWith(documents);
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
      const model = await given.modelWith(
        Array.from({ length: 12 }, (_, _id) => ({ _id, channel: _id % 3, people: [_id % 2, 'all', _id] })),
      );
      expect(await model.ids(filter, { ...newestFirst, limit: 6 })).toEqual(expected);
    });
  });
});
