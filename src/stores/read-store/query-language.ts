/**
 * A stored document: plain JSON. Field names are not empty and hold neither `.` nor `$`, numbers are finite, and an
 * array is never directly inside an array. A field whose value is `undefined` is left out. Unpaired surrogates in
 * strings become U+FFFD.
 */
export type Document = { readonly [field: string]: unknown };

/** Every document has a key, unique in its collection. */
export type Keyed = Document & { readonly _id: number | string };

/** What stands in a filter beside operators. Objects are no operands: name their fields by dotted paths. */
export type Operand = null | boolean | number | string;

/**
 * Conditions on one field, as MongoDB means them. A plain value stands for `$eq`; a value matches an array that contains
 * it, and null matches a missing field too. The comparisons match values of their operand's type only.
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
 * A filter document: dotted paths to values or {@link FieldCondition}s, and the logical operators. A path goes through the objects of
 * an array, each condition being met by any of them; a part of digits names a field, never a place in an array. Whether null finds
 * something at a path through an array without objects is left open: servers differ.
 */
export type Filter = {
  readonly $and?: readonly Filter[];
  readonly $or?: readonly Filter[];
  readonly $nor?: readonly Filter[];
} & { readonly [path: string]: unknown };

/**
 * An update document. Its paths go through objects only, no two of them touch, and none is `_id`; `$push` and `$addToSet`
 * take one value, `$pull` a plain value that is removed from an array. An update that does not fit the document (`$inc` of
 * a string, a path through a scalar) is refused with `UnsupportedQueryError`.
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
 * 1 ascending, -1 descending, in the order of the keys: missing and null first, then numbers, strings (by code point)
 * and booleans. Sorted fields hold no arrays or objects. End with `_id` where ties matter.
 */
export type Sort = { readonly [path: string]: 1 | -1 };

/** Options of `Collection.find`. */
export interface FindOptions {
  readonly sort?: Sort;
  /** At least 1; absent: everything. */
  readonly limit?: number;
  readonly skip?: number;
  /** Inclusion only: the named fields and `_id`. */
  readonly projection?: { readonly [path: string]: 1 };
}

/**
 * One change, as projections make them.
 *
 * `replaceOne` names the key of its replacement in the filter: `{ _id }`, or `{ _id, ...guard }` where the guard looks at what
 * stands there (`{ _id, seen: { $lt: position } }`). An upsert names `_id` too, and the guard of an `updateOne` upsert compares
 * but never equals. **A guarded upsert whose document exists but does not pass the guard changes nothing and is no
 * error**: it means "already seen". (On MongoDB itself it would be code 11000, which the adapter sorts out.)
 */
export type Write<D extends Keyed = Keyed> =
  | { readonly replaceOne: { readonly filter: Filter; readonly replacement: D; readonly upsert?: boolean } }
  | { readonly updateOne: { readonly filter: Filter; readonly update: Update; readonly upsert?: boolean } }
  | { readonly updateMany: { readonly filter: Filter; readonly update: Update } }
  | { readonly deleteOne: { readonly filter: Filter } }
  | { readonly deleteMany: { readonly filter: Filter } };
