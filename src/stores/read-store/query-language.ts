/**
 * A stored document: plain JSON. Field names are not empty and contain neither `.` nor `$`, numbers are finite, and arrays are never
 * directly inside of arrays. Fields with the value `undefined` are omitted. Unpaired surrogates in strings become U+FFFD.
 */
export type Document = { readonly [field: string]: unknown };

/** Every document has a key, unique in its collection. */
export type Keyed = Document & { readonly _id: number | string };

/** A value in a filter without operators. It cannot be an object: use dotted paths to its fields. */
export type Operand = null | boolean | number | string;

/**
 * Conditions on one field, with MongoDB's semantics. A plain value stands for `$eq`. A value matches an array that contains it, and null
 * also matches a missing field. Comparisons match only values of their operand's type.
 */
export interface FieldCondition {
  readonly $eq?: unknown;
  readonly $ne?: unknown;
  readonly $gt?: number | string;
  readonly $gte?: number | string;
  readonly $lt?: number | string;
  readonly $lte?: number | string;
  readonly $in?: readonly unknown[];
  readonly $nin?: readonly unknown[];
  readonly $exists?: boolean;
  readonly $size?: number;
  readonly $all?: readonly unknown[];
}

/**
 * A filter document: dotted paths with values or {@link FieldCondition}s, and the logical operators. A path leads through the objects of an
 * array; each condition may be met by another one of them. A part of digits is a field name, never an array index. Whether null matches a
 * path through an array without objects is undefined: servers differ.
 */
export type Filter = {
  readonly $and?: readonly Filter[];
  readonly $or?: readonly Filter[];
  readonly $nor?: readonly Filter[];
} & { readonly [path: string]: unknown };

/**
 * An update document. Its paths lead through objects only, no two of them overlap, and none is `_id`. `$push` and `$addToSet` take one
 * value; `$pull` takes a plain value to remove from an array. An update that does not fit the document (`$inc` of a string, a path through
 * a scalar) is refused with `UnsupportedQueryError`.
 */
export interface Update {
  readonly $set?: Document;
  readonly $unset?: { readonly [path: string]: '' | true | 1 };
  readonly $inc?: { readonly [path: string]: number };
  readonly $min?: { readonly [path: string]: number };
  readonly $max?: { readonly [path: string]: number };
  readonly $push?: { readonly [path: string]: unknown };
  readonly $addToSet?: { readonly [path: string]: unknown };
  readonly $pull?: { readonly [path: string]: unknown };
}

/**
 * 1 ascending, -1 descending, in the order of the keys: missing and null first, then numbers, strings (by code point) and booleans. Sorted
 * fields must not be arrays or objects. Add `_id` at the end if the order of equal documents matters.
 */
export type Sort = { readonly [path: string]: 1 | -1 };

/** Options of `Collection.find`. */
export interface FindOptions {
  readonly sort?: Sort;
  /** At least 1; absent: unlimited. */
  readonly limit?: number;
  readonly skip?: number;
  /** Inclusion only: the named fields and `_id`. */
  readonly projection?: { readonly [path: string]: 1 };
}

/**
 * One change of a projection.
 *
 * `replaceOne` has the key of its replacement in the filter: `{ _id }`, or `{ _id, ...guard }` with a condition on the present document
 * (`{ _id, seen: { $lt: position } }`). An upsert also has `_id`, and the guard of an `updateOne` upsert has comparisons, but no
 * equalities. **A guarded upsert whose document exists but does not pass the guard has no effect and is not an error**: it means "already
 * applied". (MongoDB itself reports code 11000, which the adapter handles.)
 */
export type Write<D extends Keyed = Keyed> =
  | { readonly replaceOne: { readonly filter: Filter; readonly replacement: D; readonly upsert?: boolean } }
  | { readonly updateOne: { readonly filter: Filter; readonly update: Update; readonly upsert?: boolean } }
  | { readonly updateMany: { readonly filter: Filter; readonly update: Update } }
  | { readonly deleteOne: { readonly filter: Filter } }
  | { readonly deleteMany: { readonly filter: Filter } };
