import {
  MongoBulkWriteError,
  type AnyBulkWriteOperation,
  type ClientSession,
  type Collection,
} from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connect.js';
import type { CollectionDefinition, Keyed, ModelBatch, Write } from '../port.js';
import { checkCollectionWrite } from '../language/collection-writes.js';
import { termsOf } from '../language/terms.js';
import { parseWrite, type ParsedWrite } from '../language/writes.js';

/** Minimum number of upserts for which looking up the existing documents and inserting the others is cheaper than single upserts. */
const MANY_UPSERTS = 16;

/** A write with its parsed form. */
export interface CheckedWrite {
  readonly write: Write;
  readonly parsed: ParsedWrite;
}

/** Validates all writes of a batch and groups them by collection, in order of first appearance. */
export function groupedWrites(
  { writes }: ModelBatch,
  definitionOf: (collection: string) => CollectionDefinition,
): ReadonlyMap<string, readonly CheckedWrite[]> {
  const groups = new Map<string, CheckedWrite[]>();
  for (const { collection, write } of writes) {
    const definition = definitionOf(collection);
    const parsed = parseWrite(write);
    checkCollectionWrite(parsed, definition);
    const group = groups.get(collection) ?? [];
    groups.set(collection, group);
    group.push({ write: withTerms(write, definition), parsed });
  }
  return groups;
}

/** Adds the terms of a document's text, for an index of terms. */
function withTerms(write: Write, { termIndex }: CollectionDefinition): Write {
  if (termIndex === undefined || !('replaceOne' in write)) return write;
  const { replacement } = write.replaceOne;
  const terms = termsOf(termIndex, replacement[termIndex.of]);
  return { replaceOne: { ...write.replaceOne, replacement: { ...replacement, [termIndex.path]: terms } } };
}

/** The key of the one document that a write changes; null: the write does not name it by key. */
function keyOf({ parsed }: CheckedWrite): Keyed['_id'] | null {
  return 'target' in parsed ? parsed.target.key : null;
}

/** The key of an upsert; else null. */
function upsertKey({ parsed }: CheckedWrite): Keyed['_id'] | null {
  return 'upsert' in parsed && parsed.upsert ? parsed.target.key : null;
}

/** Whether MongoDB reports 11000 when the guard of a write fails. */
function isGuardedUpsert({ parsed }: CheckedWrite): boolean {
  return 'upsert' in parsed && parsed.upsert && parsed.target.guarded;
}

function hasManyUpserts(writes: readonly CheckedWrite[]): boolean {
  return writes.filter((write) => upsertKey(write) !== null).length >= MANY_UPSERTS;
}

/** Splits writes into runs in which no write creates or removes a document of another. */
function independentRuns(writes: readonly CheckedWrite[]): CheckedWrite[][] {
  const runs: CheckedWrite[][] = [];
  let run: CheckedWrite[] = [];
  let keys = new Set<Keyed['_id']>();
  for (const write of writes) {
    const key = keyOf(write);
    if (run.length > 0 && (key === null || keys.has(key))) {
      runs.push(run);
      [run, keys] = [[], new Set()];
    }
    run.push(write);
    if (key === null) {
      runs.push(run);
      [run, keys] = [[], new Set()];
    } else keys.add(key);
  }
  return run.length > 0 ? [...runs, run] : runs;
}

function operation(write: Write): AnyBulkWriteOperation<Keyed> {
  return write as AnyBulkWriteOperation<Keyed>;
}

/** The same write for a document that is known to exist. */
function withoutUpsert(write: Write): AnyBulkWriteOperation<Keyed> {
  if ('replaceOne' in write) return operation({ replaceOne: { ...write.replaceOne, upsert: false } });
  return operation('updateOne' in write ? { updateOne: { ...write.updateOne, upsert: false } } : write);
}

/** The same upsert for a document that is known not to exist. */
function asInsert(write: Write): AnyBulkWriteOperation<Keyed> {
  if (!('replaceOne' in write)) return operation(write);
  return { insertOne: { document: write.replaceOne.replacement } };
}

/** Writes the changes of one collection. */
export class BatchWriter {
  constructor(
    private readonly documents: Collection<Keyed>,
    private readonly session: ClientSession | undefined,
  ) {}

  /** Applies writes in order. The error is 11000 if one of few guarded upserts fails its guard. */
  async write(writes: readonly CheckedWrite[]): Promise<void> {
    await (hasManyUpserts(writes) ? this.writeCarefully(writes) : this.writeAsGiven(writes));
  }

  /** Like {@link write}; after a guarded upsert that fails its guard, continues with {@link writeCarefully}. */
  async writeResuming(writes: readonly CheckedWrite[]): Promise<void> {
    if (hasManyUpserts(writes)) return this.writeCarefully(writes);
    try {
      await this.writeAsGiven(writes);
    } catch (error) {
      const failed = failedAt(error);
      if (failed === null || !isGuardedUpsert(writes[failed]!)) throw error;
      await this.writeCarefully(writes.slice(failed));
    }
  }

  /**
   * Applies writes in order, and first reads which documents of upserts exist: new ones are inserted, and no upsert fails because of its
   * guard.
   */
  async writeCarefully(writes: readonly CheckedWrite[]): Promise<void> {
    for (const run of independentRuns(writes)) {
      const existing = await this.existing(run.map(upsertKey).filter((key) => key !== null));
      const isNew = (write: CheckedWrite): boolean => {
        const key = upsertKey(write);
        return key !== null && !existing.has(key);
      };
      // The driver sends neighbours of one kind together. Only changes can give up a unique value that a new document takes.
      const changes = run.filter((write) => !isNew(write)).map(({ write }) => withoutUpsert(write));
      const inserts = run.filter(isNew).map(({ write }) => asInsert(write));
      await this.bulk([...changes, ...inserts]);
    }
  }

  private writeAsGiven(writes: readonly CheckedWrite[]): Promise<void> {
    return this.bulk(writes.map(({ write }) => operation(write)));
  }

  private async bulk(operations: readonly AnyBulkWriteOperation<Keyed>[]): Promise<void> {
    if (operations.length === 0) return;
    await this.documents.bulkWrite(operations, { ordered: true, ...this.options });
  }

  private async existing(keys: readonly Keyed['_id'][]): Promise<ReadonlySet<Keyed['_id']>> {
    if (keys.length === 0) return new Set();
    const found = this.documents.find(
      { _id: { $in: [...keys] } },
      { projection: { _id: 1 }, ...this.options },
    );
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  private get options(): { readonly session?: ClientSession } {
    return this.session ? { session: this.session } : {};
  }
}

/** The index in its batch of the write that a unique index rejected; null: another error. */
function failedAt(error: unknown): number | null {
  if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) return null;
  return [error.writeErrors].flat()[0]?.index ?? null;
}
