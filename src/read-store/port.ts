/**
 * The read-store port: the subset of the `mongodb` driver's Collection that projections and queries need, with
 * MongoDB's own filter and update documents. Both adapters pass one contract suite and a randomised comparison; what
 * that suite does not cover is refused by the embedded adapter with {@link UnsupportedQueryError}.
 */

/** A stored document. Field names hold neither `.` nor `$`, and an array is never directly inside an array. */
export type Document = { readonly [field: string]: unknown };

/** Every document has a key, unique in its collection. */
export type Keyed = Document & { readonly _id: number | string };

/** Conditions on one field. A plain value means equality; a value matches an array that contains it. */
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

/** A filter document: dotted paths to values or conditions, and the logical operators. */
export type Filter = {
  readonly $and?: readonly Filter[];
  readonly $or?: readonly Filter[];
  readonly $nor?: readonly Filter[];
} & { readonly [path: string]: unknown };

/** An update document. */
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

/** 1 ascending, -1 descending, in the order of the keys. */
export type Sort = { readonly [path: string]: 1 | -1 };

/** Options of {@link Collection.find}. */
export interface FindOptions {
  readonly sort?: Sort;
  readonly limit?: number;
  readonly skip?: number;
  /** Inclusion only: the named fields and `_id`. */
  readonly projection?: { readonly [path: string]: 1 };
}

/** One change of a document, as projections make them. */
export type Write<D extends Keyed = Keyed> =
  | { readonly replaceOne: { readonly filter: Filter; readonly replacement: D; readonly upsert?: boolean } }
  | { readonly updateOne: { readonly filter: Filter; readonly update: Update; readonly upsert?: boolean } }
  | { readonly updateMany: { readonly filter: Filter; readonly update: Update } }
  | { readonly deleteOne: { readonly filter: Filter } }
  | { readonly deleteMany: { readonly filter: Filter } };

/** A declared index: its key fields in order (dotted paths; an array field makes it multikey). */
export interface IndexDefinition {
  readonly key: Sort;
  readonly unique?: boolean;
}

/** A collection that a model declares. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
}

/** A collection of documents. */
export interface Collection<D extends Keyed = Keyed> {
  findOne(filter: Filter, options?: Omit<FindOptions, 'limit'>): Promise<D | null>;
  find(filter: Filter, options?: FindOptions): Promise<D[]>;
  countDocuments(filter: Filter): Promise<number>;
  distinct(path: string, filter: Filter): Promise<unknown[]>;
}

/** How far a model has followed the log. */
export interface Checkpoint {
  /** Position of the last event that the stored documents reflect; null before the first. */
  readonly position: number | null;
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
  /**
   * Makes a batch and its checkpoint durable. Where {@link ReadStore.atomicBatches} is true they become visible
   * together; elsewhere the writes are applied in order and the checkpoint last, so a crash may leave a prefix of the
   * writes without the checkpoint, and the caller's writes must be guarded by the position that a document has seen.
   */
  commit(batch: ModelBatch): Promise<void>;
}

/** A named right to do something alone, held for a while. */
export interface Lease {
  /** Rises each time the lease changes hands. */
  readonly token: number;
}

/** Where read models live. */
export interface ReadStore {
  /** Whether the documents of a batch and its checkpoint become visible together. */
  readonly atomicBatches: boolean;
  /** Opens a version of a model, making its collections and indexes where they are missing. */
  openModel(name: string, version: number, collections: readonly CollectionDefinition[]): Promise<ModelStore>;
  /** The versions of a model that exist here, rising. */
  modelVersions(name: string): Promise<readonly number[]>;
  /** Removes a version of a model with its documents and checkpoint. */
  dropModel(name: string, version: number): Promise<void>;
  /** The version that serves queries; null before the first switch. */
  servingVersion(model: string): Promise<number | null>;
  /** Switches the serving version atomically; answers false (and changes nothing) when it is no longer `from`. */
  switchVersion(model: string, from: number | null, to: number): Promise<boolean>;
  /**
   * Takes or renews the lease `name` for `holder` until `now + milliseconds`; null while another holds it. The times are the
   * store's own clock's.
   */
  acquireLease(name: string, holder: string, milliseconds: number): Promise<Lease | null>;
  /** Gives the lease back, if `holder` still has it. */
  releaseLease(name: string, holder: string): Promise<void>;
  close(): Promise<void>;
}

/** The filter, update or option lies outside the documented subset. */
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

/** The store cannot be reached or cannot write now. */
export class ReadStoreUnavailableError extends Error {
  override readonly name = 'ReadStoreUnavailableError';
}
