import { TimeSlice } from '../../../runtime/time-slice.js';
import type { Collection } from '../../../stores/read-store/port.js';
import type { ServingModels } from '../../../stores/read-store/serving-models.js';
import { flagsModel } from '../read-model.js';
import { noFlags, type PersonalFlags, type PersonalFlagsDocument } from './flags.state.js';

/** How many people's flags are read before other requests get a turn: one document may take megabytes. */
const PEOPLE_AT_ONCE = 10;

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
    for (let from = 0; from < userIds.length; from += PEOPLE_AT_ONCE) {
      if (slice.isOver) await slice.next();
      const ids = userIds.slice(from, from + PEOPLE_AT_ONCE);
      for (const document of await collection.find({ _id: { $in: ids } })) found.set(document._id, document);
    }
    return found;
  }

  private async collection(): Promise<Collection<PersonalFlagsDocument>> {
    const model = await this.models.get(flagsModel.name, flagsModel.collections);
    return model.collection<PersonalFlagsDocument>('flags');
  }
}
