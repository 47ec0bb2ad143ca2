import fc from 'fast-check';
import type {
  CollectionDefinition,
  Filter,
  FindOptions,
  Keyed,
  Update,
  Write,
} from '../../../src/stores/read-store/port.js';

/** A collection that random documents go into: columns, compound, descending and partial indexes, and two kinds of arrays. */
const universe: CollectionDefinition = {
  name: 'things',
  indexes: [
    { key: { a: 1, _id: 1 } },
    { key: { b: -1, a: 1 } },
    { key: { 'n.x': 1 } },
    { key: { t: 1, a: -1, _id: -1 }, multikey: 't' },
    { key: { 'o.p': 1 }, multikey: 'o.p' },
    { key: { b: 1, _id: 1 }, partialFilterExpression: { a: true } },
    { key: { b: 1, 'n.x': 1 }, partialFilterExpression: { a: 'a', b: { $gt: 0 } } },
    { key: { a: 1, _id: -1 }, partialFilterExpression: { b: { $lte: 'a' }, 'n.x': 1 } },
    { key: { t: 1, _id: 1 }, multikey: 't', partialFilterExpression: { a: 5 } },
  ],
};

/** A collection, and random documents, questions and changes for it. */
export interface World {
  readonly definition: CollectionDefinition;
  readonly someDocument: fc.Arbitrary<Keyed>;
  readonly someFilter: fc.Arbitrary<Filter>;
  readonly someOptions: typeof someOptions;
  readonly somePath: fc.Arbitrary<string>;
  readonly someWrite: fc.Arbitrary<Write>;
}

/** Documents of any shape. */
export function worldOfThings(throughArrays: ThroughArrays): World {
  const [filters, writes] = [someFilter(throughArrays), someWrite(throughArrays)];
  return {
    definition: universe,
    someDocument,
    someFilter: filters,
    someOptions,
    somePath,
    someWrite: writes,
  };
}

const strings = ['', 'a', 'b', 'A', '5', 'é', '\uffff', '😀', 'nul\0in', 'nul', '\0'];
const numbers = [-5, -1, 0, 1, 2, 2.5, 5, 1e15, -0.25];

const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...numbers) },
  { weight: 3, arbitrary: fc.constantFrom(...strings) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
);

const key = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b', '5', '😀', 'nul\0in', 'nul') },
);

const array = fc.array(scalar, { maxLength: 4 });
/** Never empty: whether null finds something at a path through an array without objects differs between servers. */
const objects = fc.array(fc.record({ p: scalar, q: scalar }, { requiredKeys: [] }), {
  minLength: 1,
  maxLength: 3,
});

/** Fields that an index needs as scalars stay scalars; `free` is anything, `deep` anything that a path can go through. */
const body = fc.record(
  {
    a: scalar,
    b: scalar,
    n: fc.record({ x: scalar, y: fc.record({ z: scalar }, { requiredKeys: [] }) }, { requiredKeys: [] }),
    t: fc.oneof(array, scalar),
    o: fc.oneof(objects, fc.constant(null)),
    free: fc.oneof(scalar, array, objects),
    deep: fc.oneof(scalar, objects, fc.record({ x: scalar, p: array }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);

/** A random document. */
const someDocument: fc.Arbitrary<Keyed> = fc.tuple(key, body).map(([_id, fields]) => ({ _id, ...fields }));

const scalarPath = fc.constantFrom('_id', 'a', 'b', 'n.x', 'n.y.z', 't', 'free', 'gone');
const pathThroughArray = fc.constantFrom('o.p', 'o.q', 'deep.x', 'deep.p');
const bound = fc.oneof(fc.constantFrom(...numbers), fc.constantFrom(...strings));
const list = fc.array(scalar, { maxLength: 20 });
const comparison = fc
  .record({ $gt: bound, $gte: bound, $lt: bound, $lte: bound }, { requiredKeys: [] })
  .filter((operators) => Object.keys(operators).length > 0);

const condition = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.record({ $eq: scalar }) },
  { weight: 1, arbitrary: array },
  { weight: 2, arbitrary: fc.record({ $ne: scalar }) },
  { weight: 6, arbitrary: comparison },
  { weight: 3, arbitrary: fc.record({ $in: list }) },
  { weight: 1, arbitrary: fc.record({ $nin: list }) },
  { weight: 1, arbitrary: fc.record({ $exists: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ $size: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ $all: fc.array(scalar, { maxLength: 3 }) }) },
);

/** What FerretDB too answers as mongod does through an array of objects: no null, no negation, one operator. */
const plainCondition = fc.oneof(
  bound,
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), bound)
    .map(([operator, value]) => ({ [operator]: value })),
  fc.record({ $in: fc.array(bound, { maxLength: 20 }) }),
);

/** Which conditions are asked of paths that go through arrays of objects. */
export type ThroughArrays = 'anything' | 'plain conditions';

function fieldFilterOf(throughArrays: ThroughArrays): fc.Arbitrary<Filter> {
  const inside = throughArrays === 'anything' ? condition : plainCondition;
  const field = fc.oneof(
    { weight: 2, arbitrary: fc.tuple(scalarPath, condition) },
    { weight: 1, arbitrary: fc.tuple(pathThroughArray, inside) },
  );
  const some = fc.array(field, { maxLength: 3 }).map((fields): Filter => Object.fromEntries(fields));
  const inPartial = fc.constantFrom<Filter[]>(
    { a: true },
    { a: 'a', b: { $gt: 0 } },
    { b: { $lte: 'a' }, 'n.x': 1 },
    { a: 5 },
  );
  const besides = fc.tuple(some, inPartial).map(([fields, partial]): Filter => ({ ...fields, ...partial }));
  return fc.oneof({ weight: 3, arbitrary: some }, { weight: 1, arbitrary: besides });
}

/** Random filters, up to three levels deep. */
function someFilter(throughArrays: ThroughArrays): fc.Arbitrary<Filter> {
  const fields = fieldFilterOf(throughArrays);
  return fc.letrec<{ filter: Filter; branches: Filter[] }>((tie) => {
    const branches = { $and: tie('branches'), $or: tie('branches'), $nor: tie('branches') };
    const deeper = fc
      .tuple(fields, fc.record(branches, { requiredKeys: [] }))
      .map(([own, logical]) => ({ ...own, ...logical }));
    return {
      filter: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 5, arbitrary: fields },
        { weight: 4, arbitrary: deeper },
      ),
      branches: fc.array(tie('filter'), { minLength: 1, maxLength: 4 }),
    };
  }).filter;
}

const direction = fc.constantFrom<1 | -1>(1, -1);

const sort = fc
  .tuple(
    fc.dictionary(fc.constantFrom('a', 'b', 'n.x', 'n.y.z'), direction, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    direction,
  )
  .map(([keys, last]) => ({ ...keys, _id: last }));

const projection = fc.constantFrom<Readonly<Record<string, 1>>[]>(
  { a: 1 },
  { a: 1, b: 1 },
  { 'n.x': 1, t: 1 },
  { n: 1, free: 1, 'deep.p': 1 },
  { 'o.p': 1, 'n.y.z': 1 },
  { gone: 1 },
);

/** Random options; the order is always definite. */
export const someOptions: fc.Arbitrary<FindOptions & { readonly sort: Record<string, 1 | -1> }> = fc
  .tuple(
    sort,
    fc.record(
      { limit: fc.integer({ min: 1, max: 6 }), skip: fc.integer({ min: 0, max: 4 }), projection },
      { requiredKeys: [] },
    ),
  )
  .map(([order, options]) => ({ sort: order, ...options }));

/** A path that `distinct` can be asked for: no objects stand there. */
const somePath = fc.constantFrom('_id', 'a', 'b', 'n.x', 't', 'o.p', 'gone');

const smallNumber = fc.constantFrom(-2, 1, 3, 0.5);
const change: fc.Arbitrary<Update> = fc.oneof(
  fc
    .constantFrom('a', 'n.x', 'n.y.z', 't', 'free', 'deep.x')
    .chain((at) => scalar.map((value) => ({ $set: { [at]: value } }))),
  fc
    .constantFrom('a', 'b', 'n', 'n.x', 't', 'o', 'deep.x')
    .map((at) => ({ $unset: { [at]: true as const } })),
  fc.constantFrom('a', 'n.x', 'count').chain((at) => smallNumber.map((value) => ({ $inc: { [at]: value } }))),
  fc.constantFrom('a', 'b', 'n.x').chain((at) => smallNumber.map((value) => ({ $min: { [at]: value } }))),
  fc.constantFrom('a', 'b', 'n.x').chain((at) => smallNumber.map((value) => ({ $max: { [at]: value } }))),
  fc.constantFrom('t', 'free', 'deep.p').chain((at) => scalar.map((value) => ({ $push: { [at]: value } }))),
  fc
    .constantFrom('t', 'free', 'deep.p')
    .chain((at) => scalar.map((value) => ({ $addToSet: { [at]: value } }))),
  fc.constantFrom('t', 'free', 'deep.p').chain((at) => scalar.map((value) => ({ $pull: { [at]: value } }))),
  objects.map((value) => ({ $set: { o: value }, $inc: { count: 1 } })),
);

const guard = fc.constantFrom<Filter[]>({}, {}, { a: { $lt: 2 } }, { b: { $ne: 5 } }, { $nor: [{ a: 1 }] });

/** Random changes, with an `_id` wherever they are about one document. */
function someWrite(throughArrays: ThroughArrays): fc.Arbitrary<Write> {
  const filters = fieldFilterOf(throughArrays);
  const replaced = fc.tuple(someDocument, guard, fc.boolean()).map(([replacement, when, upsert]): Write => {
    return { replaceOne: { filter: { _id: replacement._id, ...when }, replacement, upsert } };
  });
  const updated = fc.tuple(key, guard, change, fc.boolean()).map(([_id, when, update, upsert]): Write => {
    return { updateOne: { filter: { _id, ...when }, update, upsert } };
  });
  return fc.oneof(
    { weight: 4, arbitrary: replaced },
    { weight: 4, arbitrary: updated },
    {
      weight: 2,
      arbitrary: fc.tuple(filters, change).map(([filter, update]) => ({ updateMany: { filter, update } })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(key, guard).map(([_id, when]) => ({ deleteOne: { filter: { _id, ...when } } })),
    },
    { weight: 1, arbitrary: filters.map((filter) => ({ deleteMany: { filter: { ...filter, a: 1 } } })) },
  );
}
