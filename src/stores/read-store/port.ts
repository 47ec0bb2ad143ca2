import { OperatorError } from '../../kernel/errors.js';

/**
 * The read-store port: the subset of the `mongodb` driver's Collection that projections and queries need, with
 * MongoDB's own filter and update documents. Both adapters pass one contract suite and a randomised comparison; what
 * that suite does not cover is refused by both with {@link UnsupportedQueryError}, before anything is sent or written.
 */

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
 * a string, a path through a scalar) is refused with {@link UnsupportedQueryError}.
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

/** Options of {@link Collection.find}. */
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

/** What a partial index asks of a field: that it equals a scalar other than null, or lies beyond a bound of its type. */
export type PartialCondition =
  boolean | number | string | Pick<FieldCondition, '$gt' | '$gte' | '$lt' | '$lte'>;

/** The subset of the filter language that says which documents a partial index holds: all of these conditions are met. */
export type PartialFilter = { readonly [path: string]: PartialCondition };

/**
 * A declared index: its key fields in order (dotted paths). The fields hold scalars (a missing field counts as null),
 * except the one that `multikey` names; the embedded adapter refuses to write anything else there.
 */
export interface IndexDefinition {
  readonly key: Sort;
  /** No two documents have the same values, missing ones included. Not together with `multikey`. */
  readonly unique?: boolean;
  /** The path among the keys that holds an array of scalars, or goes through an array of objects. MongoDB finds out by itself. */
  readonly multikey?: string;
  /**
   * The index holds only the documents that match, and so stays small where few do. It serves filters that name the same conditions,
   * or values that meet them; what any filter finds is the same with and without. Its fields hold scalars. Not together with `unique`.
   */
  readonly partialFilterExpression?: PartialFilter;
}

/**
 * An index of the terms of a text, such as its words, by which documents are found that have some of them: the only thing that can be
 * asked of its path, in reads alone, is to equal a term (`$eq`, `$in`, `$all`). The terms stand in no document that is read.
 */
export interface TermIndexDefinition {
  /** The path by which filters ask. */
  readonly path: string;
  /** The field with the text. An update never changes it: a text changes when its document is replaced. */
  readonly of: string;
  /** Pure. Terms are made of small letters `a` to `z`, digits, and characters outside of ASCII. */
  readonly terms: (text: string) => Iterable<string>;
}

/** A collection that a model declares. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** Every `_id` is a whole number, which saves room. */
  readonly integerKeys?: boolean;
  /** Only where every `_id` is a whole number. */
  readonly termIndex?: TermIndexDefinition;
  /**
   * What many documents have in common, by field: a store may leave it out of them and add it when they are read. A document that is
   * stored has all of these fields; an update never removes one. Their values are never changed, only replaced.
   */
  readonly defaults?: Document;
}

/** How a read model is stored: its projection writes it, queries open it. */
export interface ModelDefinition {
  /** Kebab-case, unique. */
  readonly name: string;
  /** Raised when the same events shall give other documents: the new version is built beside the old one. */
  readonly version: number;
  readonly collections: readonly CollectionDefinition[];
}

/** A collection of documents. */
export interface Collection<D extends Keyed = Keyed> {
  findOne(filter: Filter, options?: Omit<FindOptions, 'limit'>): Promise<D | null>;
  find(filter: Filter, options?: FindOptions): Promise<D[]>;
  countDocuments(filter: Filter): Promise<number>;
  /** The scalars at a path, those inside arrays too, each once and in sorting order. */
  distinct(path: string, filter: Filter): Promise<unknown[]>;
}

/** How far a model has followed the log. */
export interface Checkpoint {
  /** Position of the last event that the stored documents reflect; null before the first. */
  readonly position: number | null;
}

/**
 * Name of the collection in which batches of a model are written down before they are made, where they are not atomic: each of its
 * documents has the `position` behind its batch, and is of no use once the checkpoint has come there.
 */
export function journalName(model: string): string {
  return `${model}_journal`;
}

/** A batch of changes that became of a run of events, with the checkpoint behind the last of them. */
export interface ModelBatch {
  /** In the order in which they are to be applied, each with the collection that it changes. */
  readonly writes: readonly { readonly collection: string; readonly write: Write }[];
  readonly checkpoint: Checkpoint;
  /** The lease under which the writer works: a batch under a lower token than the last is refused (see {@link FencedError}). */
  readonly fencingToken: number;
}

/** One version of one model: its collections (named `<collection>__v<version>`) and its checkpoint. */
export interface ModelStore {
  readonly name: string;
  readonly version: number;
  collection<D extends Keyed>(name: string): Collection<D>;
  /** Null position when nothing was committed yet. */
  checkpoint(): Promise<Checkpoint>;
  /** Something that is another as soon as a reader would find other documents; null: that cannot be told without reading. */
  state(): string | null;
  /**
   * Whether this is known to be no longer what the store holds of the version: it was dropped, or its file was removed or replaced.
   * Whoever reads opens the model again. Costs a look at the file at most; where only the store's server could tell, it is false, and
   * writing is what fails.
   */
  isRemoved(): boolean;
  /**
   * Begins to write under a lease: whoever held it before is refused from now on, and how far it came is the answer. Without
   * this, a holder that has lost the lease unawares could commit between its successor's look at the checkpoint and its
   * successor's first batch.
   *
   * @throws {FencedError} when a higher token was here.
   * @throws {ModelRemovedError} when the version was dropped, or its file is gone.
   */
  fence(fencingToken: number): Promise<Checkpoint>;
  /**
   * Makes a batch and its checkpoint durable. Where {@link ReadStore.atomicBatches} is true they become visible
   * together, or an error leaves nothing. Elsewhere the writes are applied in order within each collection, the collections
   * in order of first appearance and the checkpoint last: a crash or an error may leave a part of the writes without the
   * checkpoint, and the caller guards each by the position that its document has seen. Where the outcome is unknown (the
   * connection was lost), committing the same guarded batch again is right.
   *
   * @throws {FencedError} when a batch was committed under a higher token.
   * @throws {ModelRemovedError} when the version was dropped, or its file is gone: what was written then is found by nobody.
   * @throws {DuplicateKeyError} when a unique index refuses a document.
   * @throws {UnsupportedQueryError} when a write lies outside the subset.
   */
  commit(batch: ModelBatch): Promise<void>;
}

/** For how long those who had a version open go on reading it after it was dropped: longer than they need to notice a switch. */
export const DROPPED_READABLE_MILLISECONDS = 2_000;

/** A named right to do something alone, held for a while. */
export interface Lease {
  /** Rises each time the lease changes hands; a renewal in time keeps it. */
  readonly token: number;
}

/** Until when whoever reads wants an answer. */
export interface ReadDeadline {
  /** Aborted when the time is over or nobody waits any more: what is being read is ended, and rejected with its reason. */
  readonly signal: AbortSignal;
  /** When that is, in milliseconds by the monotonic clock (`performance.now()`). */
  readonly at: number;
}

/** How reads are ended that take too long. */
export interface ReadControl {
  /** The deadline of what the thread does now; null: it may take as long as it takes. */
  deadline(): ReadDeadline | null;
  /** Told how many statements threads of the driver run for this one: it is not to be ended meanwhile. */
  running(statements: number): void;
}

/** Where read models live. */
export interface ReadStore {
  /** Whether the documents of a batch and its checkpoint become visible together. */
  readonly atomicBatches: boolean;
  /**
   * Opens a version of a model, making its collections and indexes where they are missing.
   *
   * @throws {ModelRemovedError} when the version was dropped: it never exists again.
   */
  openModel(name: string, version: number, collections: readonly CollectionDefinition[]): Promise<ModelStore>;
  /** The versions of a model that exist here, rising. */
  modelVersions(name: string): Promise<readonly number[]>;
  /** The versions of a model that exist here or ever did, rising: no new one may have the number of any of them. */
  usedVersions(name: string): Promise<readonly number[]>;
  /**
   * Removes a version of a model with its documents and checkpoint, for good: its number is never used again, and whoever has it open, in
   * whichever thread or process, can write to it no more. Those who still read it, because they have yet to notice that another serves, are
   * given {@link DROPPED_READABLE_MILLISECONDS}.
   *
   * @returns false, and nothing is removed, when the version serves
   */
  dropModel(name: string, version: number): Promise<boolean>;
  /** Lets go of what is open here of versions that were dropped elsewhere: their room on the disk is free once everybody has. */
  releaseDropped(): Promise<void>;
  /**
   * Makes sure that nothing that was deleted is left in the files of models, nor in their journals ({@link journalName}), nor of versions whose dropping a crash cut short. A
   * database server's own journal keeps copies for as long as it is kept.
   */
  scrub(): Promise<void>;
  /** How much room a version of a model takes, in bytes; null where the store does not tell. */
  modelBytes(name: string, version: number): Promise<number | null>;
  /** The version that serves queries; null before the first switch. */
  servingVersion(model: string): Promise<number | null>;
  /** Switches the serving version atomically; answers false (and changes nothing) when it is no longer `from`, or when `to` was dropped. */
  switchVersion(model: string, from: number | null, to: number): Promise<boolean>;
  /**
   * Takes or renews the lease `name` for `holder` until `now + milliseconds`; null while another holds it. The times are the
   * store's own clock's.
   */
  acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null>;
  /** Gives the lease back, if `holder` still has it. */
  releaseLease(name: string, owner: string): Promise<void>;
  close(): Promise<void>;
}

/** The document, filter, update or option lies outside the documented subset. */
export class UnsupportedQueryError extends Error {
  override readonly name = 'UnsupportedQueryError';
}

/** A unique index refused a document (MongoDB's code 11000). */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
}

/** The batch was written under a lease that another writer has taken over. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** A version of a model was dropped, or its file is gone or another: what is written to it would be found by nobody. */
export class ModelRemovedError extends Error {
  override readonly name = 'ModelRemovedError';
  constructor(model: string, version: number) {
    super(`Version ${version} of the read model "${model}" was removed`);
  }
}

/** A read was ended because its {@link ReadDeadline} is over. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
}

/** The store cannot be reached or cannot write now. */
export class ReadStoreUnavailableError extends OperatorError {
  override readonly name = 'ReadStoreUnavailableError';
}
