import type { Collection, Db } from 'mongodb';
import { durable, isDuplicateKey, oneOf } from '../../mongodb/connect.js';

/** A record: of those with the same name, the latest one is valid. */
export type SequencedRecord<Value> = Value & {
  readonly _id: string;
  readonly name: string;
  /** From 1, increasing by 1. */
  readonly sequence: number;
};

/** Fields to change in a record. */
interface Amendment<Value> {
  readonly record: SequencedRecord<Value>;
  readonly value: Partial<Value>;
}

/** Number of earlier records of a name that are kept, so that a writer that was suspended finds its successors. */
const MAX_EARLIER_RECORDS = 64;

/**
 * Values that change by compare-and-set, for servers whose conditional updates are not atomic: the process that inserts the next number of
 * a name wins, because the unique `_id` allows only one insert on every server.
 */
export class SequencedRecords<Value extends object> {
  /** The driver's types do not work with a type parameter. */
  private readonly all: Collection<AnyRecord>;

  constructor(database: Db, collection: string) {
    this.all = database.collection<AnyRecord>(collection, durable);
  }

  /** The valid record; null: there was never one. */
  async latest(name: string): Promise<SequencedRecord<Value> | null> {
    const [latest] = await this.all.find({ name }).sort({ sequence: -1 }).limit(1).toArray();
    return (latest as SequencedRecord<Value> | undefined) ?? null;
  }

  /** The valid records, by name. */
  async latestOf(names: readonly string[]): Promise<ReadonlyMap<string, SequencedRecord<Value>>> {
    const records = await this.all
      .find({ name: oneOf(names) })
      .sort({ sequence: 1 })
      .toArray();
    return new Map(records.map((record) => [record.name, record as SequencedRecord<Value>]));
  }

  /** Adds the record after number `after`; returns false if that is not the latest any more. */
  async append(name: string, after: number, value: Value): Promise<boolean> {
    const sequence = after + 1;
    try {
      await this.all.insertOne({ _id: idOf(name, sequence), name, sequence, ...value });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    // The insert was so late that its number had been removed: there are later records.
    if ((await this.latest(name))?.sequence !== sequence) return false;
    if (sequence > MAX_EARLIER_RECORDS)
      await this.all.deleteMany({ name, sequence: { $lte: sequence - MAX_EARLIER_RECORDS } });
    return true;
  }

  /** Changes fields of a record in place; returns whether it is still valid. */
  async amend({ _id }: SequencedRecord<Value>, value: Partial<Value>): Promise<boolean> {
    const { matchedCount } = await this.all.updateOne({ _id }, { $set: value });
    return matchedCount === 1;
  }

  /** Changes several records of different names in one command; returns whether each is still valid. */
  async amendAll(amendments: readonly Amendment<Value>[]): Promise<readonly boolean[]> {
    if (amendments.length === 0) return [];
    const updates = amendments.map(({ record: { _id }, value }) => ({
      updateOne: { filter: { _id }, update: { $set: value } },
    }));
    const { matchedCount } = await this.all.bulkWrite(updates, { ordered: false });
    if (matchedCount === amendments.length) return amendments.map(() => true);
    // The server only returns how many are valid.
    return Promise.all(amendments.map(({ record, value }) => this.amend(record, value)));
  }

  async prepare(): Promise<void> {
    await this.all.createIndex({ name: 1, sequence: -1 });
  }
}

interface AnyRecord {
  readonly _id: string;
  readonly name: string;
  readonly sequence: number;
}

function idOf(name: string, sequence: number): string {
  return `${name}#${sequence}`;
}
