import { OperatorError } from '../../kernel/errors.js';
import type { CollectionDefinition } from './model-definition.js';
import type { Filter, FindOptions, Keyed, Write } from './query-language.js';

export type * from './model-definition.js';
export type * from './query-language.js';

/**
 * The read-store port: the subset of the `mongodb` driver's Collection that projections and queries need, with MongoDB's own filter and
 * update documents. Both adapters pass one contract suite and a randomised comparison. What the suite does not cover, both refuse with
 * {@link UnsupportedQueryError} before anything is sent or written.
 */

/** A collection of documents. */
export interface Collection<D extends Keyed = Keyed> {
  findOne(filter: Filter, options?: Omit<FindOptions, 'limit'>): Promise<D | null>;
  find(filter: Filter, options?: FindOptions): Promise<D[]>;
  countDocuments(filter: Filter): Promise<number>;
  /** The distinct scalars at a path, also inside of arrays, in sorting order. */
  distinct(path: string, filter: Filter): Promise<unknown[]>;
}

/** How far a model has followed the log. */
export interface Checkpoint {
  /** Position of the last event in the stored documents; null: before the first event. */
  readonly position: number | null;
}

/**
 * Name of the collection in which batches are journaled before they are written, on stores without atomic batches. Each of its documents
 * has the `position` of its batch, and is obsolete once the checkpoint has reached it.
 */
export function journalName(model: string): string {
  return `${model}_journal`;
}

/** The changes of several events, and the checkpoint after the last of them. */
export interface ModelBatch {
  /** In the order in which they are to be applied. */
  readonly writes: readonly { readonly collection: string; readonly write: Write }[];
  readonly checkpoint: Checkpoint;
  /** The fencing token of the writer's lease: a batch with a lower token than the last one's is refused (see {@link FencedError}). */
  readonly fencingToken: number;
}

/** One version of one model: its collections (named `<collection>__v<version>`) and its checkpoint. */
export interface ModelStore {
  readonly name: string;
  readonly version: number;
  collection<D extends Keyed>(name: string): Collection<D>;
  /** The position is null before the first commit. */
  checkpoint(): Promise<Checkpoint>;
  /** A value that changes whenever readers would find other documents; null: the store cannot tell without reading. */
  state(): string | null;
  /**
   * Whether the version is known to be removed: it was dropped, or its file was removed or replaced. Readers then open the model again. It
   * costs at most a check of the file; if only the store's server knows, it is false, and writing fails instead.
   */
  isRemoved(): boolean;
  /**
   * Begins to write under a lease: writes of former owners are refused from now on. Returns the checkpoint that they reached. Without this,
   * a former owner that has not noticed the loss of its lease could commit between the new owner's read of the checkpoint and its first
   * batch.
   *
   * @throws {FencedError} when a higher token was used.
   * @throws {ModelRemovedError} when the version was dropped, or its file is removed.
   */
  fence(fencingToken: number): Promise<Checkpoint>;
  /**
   * Commits a batch and its checkpoint durably. If {@link ReadStore.atomicBatches} is true, they become visible together, or not at all
   * after an error. Otherwise the writes are applied in order within each collection, the collections in order of first appearance, and the
   * checkpoint last: a crash or an error may leave a part of the writes without the checkpoint, so the caller guards each write by the
   * position that its document has. After an unknown outcome (a lost connection), the same guarded batch can be committed again.
   *
   * @throws {FencedError} when a batch was committed under a higher token.
   * @throws {ModelRemovedError} when the version was dropped, or its file is removed: then the writes are lost.
   * @throws {DuplicateKeyError} when a unique index rejects a document.
   * @throws {UnsupportedQueryError} when a write is outside of the subset.
   */
  commit(batch: ModelBatch): Promise<void>;
}

/** How long a dropped version remains readable for those who have it open: longer than they need to notice a cut-over. */
export const DROPPED_READABLE_MILLISECONDS = 2_000;

/** The exclusive right to do something, for a limited time. */
export interface Lease {
  /** Increases each time the lease changes its owner; a renewal in time keeps it. */
  readonly token: number;
}

/** The deadline of a read. */
export interface ReadDeadline {
  /** Aborted after the deadline or when the client has disconnected: running reads are ended, and rejected with its reason. */
  readonly signal: AbortSignal;
  /** The deadline in milliseconds of the monotonic clock (`performance.now()`). */
  readonly at: number;
}

/** Controls the deadlines of reads, and is told how much they read. */
export interface ReadControl {
  /** The deadline of the thread's present task; null: there is none. */
  deadline(): ReadDeadline | null;
  /** Told how many statements the driver's threads are executing for this thread, which must not be terminated meanwhile. */
  running(statements: number): void;
  /** Told after each read how many documents or index entries the store returned or counted for it. */
  rowsRead(count: number): void;
}

/** Where read models live. */
export interface ReadStore {
  /** Whether the documents of a batch and its checkpoint become visible together. */
  readonly atomicBatches: boolean;
  /**
   * Opens a version of a model, and creates its collections and indexes if they are missing.
   *
   * @throws {ModelRemovedError} when the version was dropped: it can never exist again.
   */
  openModel(name: string, version: number, collections: readonly CollectionDefinition[]): Promise<ModelStore>;
  /** The existing versions of a model, in increasing order. */
  modelVersions(name: string): Promise<readonly number[]>;
  /** The existing and the former versions of a model, in increasing order: a new version must have another number. */
  usedVersions(name: string): Promise<readonly number[]>;
  /**
   * Removes a version of a model with its documents and checkpoint. Its number is never used again, and nobody who has it open, in any
   * thread or process, can write to it any more. Readers that have not noticed that another version serves can still read it for
   * {@link DROPPED_READABLE_MILLISECONDS}.
   *
   * @returns false, without an effect, when the version serves
   */
  dropModel(name: string, version: number): Promise<boolean>;
  /** Closes what this process has open of versions that others dropped. Their disk space is freed once every process has done that. */
  releaseDropped(): Promise<void>;
  /**
   * Makes sure that no deleted data is left in the files of models, in their journals ({@link journalName}), or in versions whose removal a
   * crash interrupted. A database server's own journal keeps copies until it is overwritten.
   */
  scrub(): Promise<void>;
  /** The size of a version of a model in bytes; null: the store cannot tell. */
  modelBytes(name: string, version: number): Promise<number | null>;
  /** The version that queries read; null: before the first cut-over. */
  servingVersion(model: string): Promise<number | null>;
  /** Cuts over atomically; returns false without an effect when the serving version is no longer `from`, or when `to` was dropped. */
  switchVersion(model: string, from: number | null, to: number): Promise<boolean>;
  /** Takes or renews the lease `name` for `owner` until `now + milliseconds`, by the store's own clock; null: another owner has it. */
  acquireLease(name: string, owner: string, milliseconds: number): Promise<Lease | null>;
  /** Releases the lease, if `owner` still has it. */
  releaseLease(name: string, owner: string): Promise<void>;
  close(): Promise<void>;
}

/** The document, filter, update or option is outside of the documented subset. */
export class UnsupportedQueryError extends Error {
  override readonly name = 'UnsupportedQueryError';
}

/** A unique index rejected a document (MongoDB's code 11000). */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
}

/** Another writer has taken over the lease of the batch. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** A version of a model was dropped, or its file was removed or replaced: writes to it would be lost. */
export class ModelRemovedError extends Error {
  override readonly name = 'ModelRemovedError';
  constructor(model: string, version: number) {
    super(`Version ${version} of the read model "${model}" was removed`);
  }
}

/** A read was ended because of its {@link ReadDeadline}. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
}

/** The store cannot be reached, or cannot write. */
export class ReadStoreUnavailableError extends OperatorError {
  override readonly name = 'ReadStoreUnavailableError';
}
