import { journalName, type CollectionDefinition, type ModelStore } from '../../src/stores/read-store/port.js';
import type { PlacedWrite } from './model-writer.js';

/** Characters in one part of a journal entry: its document stays well below the stores' size limit, in any script. */
const PART_LENGTH = 500_000;

/** The engine's own collection in a model, for stores without atomic batches. */
export function journalCollection(modelName: string): CollectionDefinition {
  return { name: journalName(modelName), indexes: [] };
}

interface JournalPart {
  readonly [field: string]: unknown;
  readonly _id: number;
  readonly position: number;
  /** The number of parts. Only part 0, which is written last, has it. */
  readonly parts: number;
  readonly text: string;
}

/**
 * Stores the one batch that is being written. It is stored as text, because documents cannot contain filters. Part 0 is written last: once
 * it exists, the whole batch will take effect.
 */
export class BatchJournal {
  constructor(private readonly model: ModelStore) {}

  /** The writes that store a batch in the journal, before the batch itself is written. */
  entriesFor(writes: readonly PlacedWrite[], position: number): PlacedWrite[] {
    const texts = partsOf(JSON.stringify(writes));
    const entries = texts.map((text, _id): PlacedWrite => {
      const part: JournalPart = { _id, position, parts: texts.length, text };
      return {
        collection: journalCollection(this.model.name).name,
        write: { replaceOne: { filter: { _id }, replacement: part, upsert: true } },
      };
    });
    return entries.reverse();
  }

  /** The write that removes the batch from the journal. */
  get clearing(): PlacedWrite {
    return {
      collection: journalCollection(this.model.name).name,
      write: { deleteOne: { filter: { _id: 0 } } },
    };
  }

  /** The batch that was begun after the checkpoint and may be partly written; null: there is none. */
  async after(
    checkpoint: number | null,
  ): Promise<{ readonly writes: readonly PlacedWrite[]; readonly position: number } | null> {
    const collection = this.model.collection<JournalPart>(journalCollection(this.model.name).name);
    const first = await collection.findOne({ _id: 0 });
    if (first === null || (checkpoint !== null && first.position <= checkpoint)) return null;
    const parts = await collection.find({ _id: { $lt: first.parts } }, { sort: { _id: 1 } });
    const text = parts.map((part) => part.text).join('');
    return { writes: JSON.parse(text) as PlacedWrite[], position: first.position };
  }
}

/** Does not split surrogate pairs: half of one would be stored as another character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const part = rest.slice(0, PART_LENGTH);
    const whole = part.isWellFormed() ? part : part.slice(0, -1);
    parts.push(whole);
    rest = rest.slice(whole.length);
  }
  return parts;
}
