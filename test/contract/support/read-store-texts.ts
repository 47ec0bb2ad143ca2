import fc from 'fast-check';
import type {
  CollectionDefinition,
  Filter,
  Keyed,
  Update,
  Write,
} from '../../../src/stores/read-store/port.js';
import { someOptions, type World } from './read-store-universe.js';

/** A collection with what a definition may say beside its indexes: whole numbers as keys, an index of terms, and defaults. */
export const texts: CollectionDefinition = {
  name: 'texts',
  integerKeys: true,
  termIndex: { path: 'words', of: 'content', terms: (text) => text.split(' ').filter(Boolean) },
  defaults: { a: 0, b: null, c: false, content: 'red', free: { x: 1, y: [] }, n: { x: 1 }, t: [] },
  indexes: [
    { key: { a: 1, _id: 1 } },
    { key: { 'n.x': 1, _id: -1 } },
    { key: { t: 1, _id: 1 }, multikey: 't' },
    { key: { a: 1, t: 1, _id: 1 }, multikey: 't', partialFilterExpression: { c: true } },
    { key: { b: 1 }, partialFilterExpression: { b: { $gt: 0 } } },
  ],
};

const words = ['red', 'green', 'blue', '5', 'größe', '😀'];
const word = fc.constantFrom(...words);
const scalar = fc.constantFrom(null, 0, 1, 2.5, 5, '', 'a', '5', true, false);
const list = fc.array(fc.constantFrom<unknown[]>(0, 1, 'a', '5', 2.5), { maxLength: 3 });
const key = fc.integer({ min: -3, max: 12 });
const keyOrNot = fc.oneof(
  { weight: 6, arbitrary: key },
  { weight: 1, arbitrary: fc.constantFrom('5', 'a', 2.5, 1e300) },
);

const body = fc.record({
  a: scalar,
  b: scalar,
  c: fc.boolean(),
  content: fc.oneof(
    fc.array(word, { maxLength: 5 }).map((some) => some.join(' ')),
    fc.constantFrom<unknown[]>(null, 5, ['red']),
  ),
  free: fc.oneof(scalar, fc.constantFrom<unknown[]>({ x: 1, y: [] }, { x: 2, y: [] })),
  n: fc.record({ x: scalar }),
  t: list,
});

const someDocument: fc.Arbitrary<Keyed> = fc.tuple(key, body).map(([_id, fields]) => ({ _id, ...fields }));

const bound = fc.constantFrom<(number | string)[]>(-1, 0, 2.5, 5, 7, '', '5', 'a');
const compared = fc
  .record({ $gt: bound, $gte: bound, $lt: bound, $lte: bound }, { requiredKeys: [] })
  .filter((operators) => Object.keys(operators).length > 0);

const field = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('words'),
      fc.oneof(
        word,
        fc.record({ $in: fc.array(word, { minLength: 1, maxLength: 3 }) }),
        fc.record({ $all: fc.array(word, { minLength: 1, maxLength: 3 }) }),
        fc.record({ $ne: word }),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('_id'),
      fc.oneof(keyOrNot, compared, fc.record({ $in: fc.array(keyOrNot, { maxLength: 8 }) })),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'content', 't', 'n.x', 'free', 'free.x'),
      fc.oneof(scalar, compared, fc.record({ $in: fc.array(scalar, { maxLength: 4 }) })),
    ),
  },
);

const fields = fc.array(field, { maxLength: 3 }).map((some): Filter => Object.fromEntries(some));

const someFilter = fc.letrec<{ filter: Filter; branches: Filter[] }>((tie) => {
  const branches = { $and: tie('branches'), $or: tie('branches'), $nor: tie('branches') };
  return {
    filter: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 5, arbitrary: fields },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fields, fc.record(branches, { requiredKeys: [] }))
          .map(([own, logical]) => ({ ...own, ...logical })),
      },
    ),
    branches: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
  };
}).filter;

const plainFilter = fc.record({ a: scalar, 'n.x': scalar }, { requiredKeys: [] });

const change: fc.Arbitrary<Update> = fc.oneof(
  fc
    .constantFrom('a', 'b', 'n.x', 'n.y', 'free')
    .chain((at) => scalar.map((value) => ({ $set: { [at]: value } }))),
  fc.constantFrom(1, 'a').map((value) => ({ $push: { t: value } })),
  fc.constantFrom(1, 'a').map((value) => ({ $pull: { t: value } })),
);

const someWrite: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(someDocument, fc.boolean()).map(([replacement, upsert]) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert },
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(key, change)
      .map(([_id, update]): Write => ({ updateOne: { filter: { _id }, update } })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(plainFilter, change).map(([filter, update]) => ({ updateMany: { filter, update } })),
  },
  { weight: 2, arbitrary: key.map((_id): Write => ({ deleteOne: { filter: { _id } } })) },
  { weight: 1, arbitrary: plainFilter.map((filter) => ({ deleteMany: { filter: { ...filter, c: true } } })) },
);

/** Documents with texts, and what is asked of them and done to them. */
export const worldOfTexts: World = {
  definition: texts,
  someDocument,
  someFilter,
  someOptions: someOptions.map(({ projection, ...options }) => ({
    ...options,
    ...(projection && { projection: { a: 1, content: 1, 'n.x': 1 } as const }),
  })),
  somePath: fc.constantFrom('_id', 'a', 'b', 'n.x', 't'),
  someWrite,
};
