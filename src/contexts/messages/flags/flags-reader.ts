import { TimeSlice } from '../../../runtime/time-slice.js';
import type { Collection } from '../../../stores/read-store/port.js';
import type { ServingModels } from '../../../stores/read-store/serving-models.js';
import { flagsModel } from '../read-model.js';
import { noFlags, rangesIn, type PersonalFlags, type PersonalFlagsDocument } from './flags.state.js';

/**
 * How many people's flags are read before other requests get a turn: few at first, because one document may take megabytes, and twice as
 * many after each read of small documents, because each read of a server is a round trip. Never very many, because small documents do not
 * tell how large the next ones are, and what one read returns is in memory at once.
 */
const peopleAtOnce = { first: 10, max: 80 } as const;

/** How many ranges of ids the documents of one read may have, if more people are to be read at once. */
const FEW_RANGES = 20_000;

/** Reads people's flags from the read model. */
export class FlagsReader {
  constructor(private readonly models: ServingModels) {}

  /**
   * A person's flags, and the revision of their stream that these include; null: they never marked a message.
   */
  async of(userId: number): Promise<{ readonly flags: PersonalFlags; readonly revision: number | null }> {
    const document = await (await this.collection()).findOne({ _id: userId });
    return document === null
      ? { flags: noFlags, revision: null }
      : { flags: document, revision: document.revision };
  }

  /** The flags of each of these people; those who never marked a message are left out. */
  async ofAll(userIds: readonly number[]): Promise<ReadonlyMap<number, PersonalFlagsDocument>> {
    const collection = await this.collection();
    const found = new Map<number, PersonalFlagsDocument>();
    const slice = new TimeSlice();
    let count: number = peopleAtOnce.first;
    for (let from = 0; from < userIds.length;) {
      if (slice.isOver) await slice.next();
      const ids = userIds.slice(from, from + count);
      const documents = await collection.find({ _id: { $in: ids } });
      for (const document of documents) found.set(document._id, document);
      from += count;
      const ranges = documents.reduce((sum, flags) => sum + rangesIn(flags), 0);
      count = ranges > FEW_RANGES ? peopleAtOnce.first : Math.min(2 * count, peopleAtOnce.max);
    }
    return found;
  }

  private async collection(): Promise<Collection<PersonalFlagsDocument>> {
    const model = await this.models.get(flagsModel.name, flagsModel.collections);
    return model.collection<PersonalFlagsDocument>('flags');
  }
}
