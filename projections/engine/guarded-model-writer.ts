import { UnsupportedQueryError } from '../../src/read-store/port.js';
import type { Checkpoint, Collection, Keyed } from '../../src/read-store/port.js';
import type { ChangeSet, OrderedChange } from './change-set.js';
import { isPresent, isTombstone, notYetSeen, seenFields, tombstone } from './engine-fields.js';
import { withSeen, withoutEngineFields } from './engine-fields.js';
import { BatchJournal } from './batch-journal.js';
import { mapCollection, type ModelWriter, type PlacedWrite, type WriterTarget } from './model-writer.js';

/**
 * For stores that may keep a prefix of a batch. The whole batch is first written down in a journal, from which a
 * successor finishes it; and every write is guarded by the point that its document has seen, so that finishing it twice,
 * or a predecessor that is still writing, changes nothing.
 *
 * A handler may read one document to change another, so replaying the events themselves over half a batch would not do.
 */
export class GuardedModelWriter implements ModelWriter {
  private readonly journal: BatchJournal;
  private readonly unique: ReadonlySet<string>;
  private stored: number | null = null;

  constructor(private readonly target: WriterTarget) {
    this.journal = new BatchJournal(target.model);
    const unique = target.collections.filter(({ indexes }) => indexes.some((index) => index.unique));
    this.unique = new Set(unique.map(({ name }) => name));
  }

  async recover(): Promise<Checkpoint> {
    ({ position: this.stored } = await this.target.model.fence(this.target.fencingToken));
    const interrupted = await this.journal.after(this.stored);
    if (interrupted) await this.write(interrupted.writes, interrupted.position);
    await this.write(this.target.collections.map(({ name }) => purgeOf(name)));
    return { position: this.stored };
  }

  async commit({ changes, position }: ChangeSet): Promise<void> {
    const writes = changes.map((change) => this.guardedWrite(change));
    // By itself, since the order of writes is kept within a collection only.
    if (writes.length > 0) await this.write(this.journal.entriesFor(writes, position));
    await this.writeJournaled(writes, position);
    const bereft = new Set(changes.flatMap((change) => ('remove' in change ? [change.collection] : [])));
    if (bereft.size > 0) await this.write([...bereft].map(purgeOf));
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    return mapCollection<D>(this.target.model.collection(name), {
      filter: (filter) => ({ $and: [filter, isPresent] }),
      document: (document) => withoutEngineFields(document as Keyed).document ?? document,
    });
  }

  private async writeJournaled(writes: readonly PlacedWrite[], position: number): Promise<void> {
    try {
      await this.write(writes, position);
    } catch (error) {
      // Nothing of it was written, nor ever will be: a successor is not to try.
      if (error instanceof UnsupportedQueryError) await this.write([this.journal.clearing]);
      throw error;
    }
  }

  private async write(writes: readonly PlacedWrite[], position = this.stored): Promise<void> {
    const { model, fencingToken } = this.target;
    await model.commit({ writes, checkpoint: { position }, fencingToken });
    this.stored = position;
  }

  private guardedWrite(change: OrderedChange): PlacedWrite {
    const { collection, point } = change;
    if ('put' in change) {
      return replaceUnseen(collection, withSeen(change.put, point), change);
    }
    if ('remove' in change) {
      // Two tombstones would meet in a unique index.
      if (!this.unique.has(collection))
        return replaceUnseen(collection, tombstone(change.remove, point), change);
      return {
        collection,
        write: { deleteOne: { filter: { $and: [{ _id: change.remove }, notYetSeen(point)] } } },
      };
    }
    const { filter, update } = change.updateMany;
    return {
      collection,
      write: {
        updateMany: {
          filter: { $and: [filter, isPresent, notYetSeen(point)] },
          update: { ...update, $set: { ...update.$set, ...seenFields(point) } },
        },
      },
    };
  }
}

/** An upsert that finds a newer document in its place does nothing: see {@link ModelStore.commit}. */
function replaceUnseen(collection: string, replacement: Keyed, { point }: OrderedChange): PlacedWrite {
  const filter = { _id: replacement._id, ...notYetSeen(point) };
  return { collection, write: { replaceOne: { filter, replacement, upsert: true } } };
}

function purgeOf(collection: string): PlacedWrite {
  return { collection, write: { deleteMany: { filter: isTombstone } } };
}
