import { OperatorError } from '../../kernel/errors.js';
import type { CollectionDefinition } from './model-definition.js';
import type { Filter, FindOptions, Keyed, Write } from './query-language.js';

export type * from './model-definition.js';
export type * from './query-language.js';

/**
 * The read-store port: the subset of the `mongodb` driver's Collection that projections and queries need, with
 * MongoDB's own filter and update documents. Both adapters pass one contract suite and a randomised comparison; what
 * that suite does not cover is refused by both with {@link UnsupportedQueryError}, before anything is sent or written.
 */

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
   * Readers then open the model again. Costs a look at the file at most; where only the store's server could tell, it is false, and
   * writing is what fails.
   */
  isRemoved(): boolean;
  /**
   * Begins to write under a lease: its former owners are refused from now on, and the answer is how far they came. Without
   * this, a former owner that has not noticed that it lost the lease could commit between the new owner's look at the checkpoint
   * and its first batch.
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

/** Until when a reader wants an answer. */
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
   * Removes a version of a model with its documents and checkpoint, for good: its number is never used again, and nobody who has it
   * open, in any thread or process, can write to it any more. Those who still read it, because they have yet to notice that another
   * version serves, may do so for {@link DROPPED_READABLE_MILLISECONDS}.
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
   * Takes or renews the lease `name` for `owner` until `now + milliseconds`; null while another holds it. The times are the
   * store's own clock's.
   */
  acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null>;
  /** Gives the lease back, if `owner` still has it. */
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
