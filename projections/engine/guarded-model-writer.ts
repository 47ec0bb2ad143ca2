import {
  UnsupportedQueryError,
  type Checkpoint,
  type Collection,
  type Keyed,
} from '../../src/stores/read-store/port.js';
import { BatchJournal } from './batch-journal.js';
import {
  notYetSeen,
  seenFields,
  withSeen,
  withoutEngineFields,
  type ChangeSet,
  type OrderedChange,
} from './engine-fields.js';
import type { ModelWriter, PlacedWrite, WriterTarget } from './model-writer.js';

/**
 * Writes to stores that may keep only a part of a batch. The batch is first stored in a journal, from which a successor can complete it.
 * Every write is conditional on the last change of its document, so completing a batch twice has no effect, and neither has a predecessor
 * that is still writing.
 *
 * Applying the events again to a partly written batch would not do: a handler may read one document to change another.
 */
export class GuardedModelWriter implements ModelWriter {
  private readonly journal: BatchJournal;
  private stored: number | null = null;

  constructor(private readonly target: WriterTarget) {
    this.journal = new BatchJournal(target.model);
  }

  async recover(): Promise<Checkpoint> {
    ({ position: this.stored } = await this.target.model.fence(this.target.fencingToken));
    const interrupted = await this.journal.after(this.stored);
    if (interrupted) await this.write(interrupted.writes, interrupted.position);
    return { position: this.stored };
  }

  async commit({ changes, position }: ChangeSet): Promise<void> {
    const writes = changes.map(guardedWrite);
    // A separate write, because the store keeps the order of writes only within a collection.
    if (writes.length > 0) await this.write(this.journal.entriesFor(writes, position));
    try {
      await this.write(writes, position);
    } catch (error) {
      // None of the writes is possible, so a successor must not try to complete them.
      if (error instanceof UnsupportedQueryError) await this.write([this.journal.clearing]);
      throw error;
    }
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    const stored = this.target.model.collection<D>(name);
    const clean = (document: D): D => withoutEngineFields(document).document as D;
    return {
      findOne: async (filter, options) => {
        const found = await stored.findOne(filter, options);
        return found && clean(found);
      },
      find: async (filter, options) => (await stored.find(filter, options)).map(clean),
      countDocuments: (filter) => stored.countDocuments(filter),
      distinct: (path, filter) => stored.distinct(path, filter),
    };
  }

  private async write(writes: readonly PlacedWrite[], position = this.stored): Promise<void> {
    const { model, fencingToken } = this.target;
    await model.commit({ writes, checkpoint: { position }, fencingToken });
    this.stored = position;
  }
}

function guardedWrite(change: OrderedChange): PlacedWrite {
  const { collection, point } = change;
  if ('put' in change) {
    const replacement = withSeen(change.put, point);
    const filter = { _id: replacement._id, ...notYetSeen(point) };
    return { collection, write: { replaceOne: { filter, replacement, upsert: true } } };
  }
  if ('remove' in change) {
    return { collection, write: { deleteOne: { filter: { _id: change.remove, ...notYetSeen(point) } } } };
  }
  const { filter, update } = change.updateMany;
  return {
    collection,
    write: {
      updateMany: {
        filter: { $and: [filter, notYetSeen(point)] },
        update: { ...update, $set: { ...update.$set, ...seenFields(point) } },
      },
    },
  };
}
