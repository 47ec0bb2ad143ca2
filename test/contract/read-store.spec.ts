import { describe, expect, it } from '@jest/globals';
import { UnsupportedQueryError, type Keyed, type Write } from '../../src/stores/read-store/port.js';
import { describeModels, put, unseen } from './support/read-store-given.js';
import { standIn } from '../support/stand-in.js';

describeModels((given) => {
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
      const model = await given.modelWith(documents);
      expect(await model.all()).toEqual(documents);
    });

    it('have numbers or strings as keys, which are never taken for each other', async () => {
      const model = await given.modelWith(
        [5, '5', 'nul\0', 'nul', '🎉', -1, 0.5].map((_id) => ({ _id, is: typeof _id })),
      );
      expect(await model.collection().findOne({ _id: 5 })).toEqual({ _id: 5, is: 'number' });
      expect(await model.collection().findOne({ _id: '5' })).toEqual({ _id: '5', is: 'string' });
      expect(await model.collection().findOne({ _id: 'nul\0' })).toEqual({ _id: 'nul\0', is: 'string' });
      expect(await model.ids({})).toEqual([-1, 0.5, 5, '5', 'nul', 'nul\0', '🎉']);
    });

    it('may be as large as a megabyte', async () => {
      const text = 'päl🎉'.repeat(150_000);
      const model = await given.modelWith([
        { _id: 1, text },
        { _id: 2, text },
      ]);
      expect((await model.all()).map((document) => document['text'] === text)).toEqual([true, true]);
    });

    it('leave out fields that are undefined, and repair unpaired surrogates', async () => {
      const model = await given.modelWith([
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
      const model = await given.newModel();
      await expect(model.commit([put(document as Keyed)])).rejects.toThrow(UnsupportedQueryError);
      expect(await model.all()).toEqual([]);
    });
  });

  describe('updates', () => {
    async function after(document: Keyed, update: unknown): Promise<Keyed | null> {
      const model = await given.modelWith([document]);
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
      const model = await given.modelWith(
        [1, 2, 3, 4].map((_id) => ({ _id, channel: _id % 2, people: [_id] })),
      );
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
      const model = await given.newModel();
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
      const model = await given.newModel();
      await expect(model.commit([write])).rejects.toThrow(UnsupportedQueryError);
    });
  });

  describe('guards', () => {
    it('let a newer document stand, without an error', async () => {
      const model = await given.newModel();
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
      const [once, twice] = [await given.newModel(), await given.newModel()];
      await once.commit(batch);
      await twice.commit(batch.slice(0, 17));
      for (let replay = 0; replay < 3; replay++) await twice.commit(batch);
      expect(await twice.all()).toEqual(await once.all());
      expect(await twice.all()).toHaveLength(10);
    });

    it('let a document be removed and made again in one batch', async () => {
      const model = await given.modelWith([
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
});
