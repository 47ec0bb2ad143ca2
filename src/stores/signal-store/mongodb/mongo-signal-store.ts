import type { Collection, MongoClient } from 'mongodb';
import { connectMongo } from '../../mongodb/connect.js';
import { MAX_SIGNALS, type SignalStore, type StoredSignal } from '../port.js';

interface SignalDocument extends Omit<StoredSignal, 'subject'> {
  /** The subject. */
  readonly _id: string;
}

/**
 * Connects to the collection `signals`, and creates its indexes if they are missing. Writes are acknowledged by one server only: a lost
 * signal is sent again within a minute.
 *
 * @param options `url`: its path names the database
 */
export async function connectMongoSignalStore({ url }: { readonly url: string }): Promise<SignalStore> {
  const client = await connectMongo(url);
  try {
    const store = new MongoSignalStore(client);
    await store.prepare();
    return store;
  } catch (error) {
    await client.close();
    throw error;
  }
}

class MongoSignalStore implements SignalStore {
  private readonly signals: Collection<SignalDocument>;

  constructor(private readonly client: MongoClient) {
    this.signals = client.db().collection<SignalDocument>('signals', { writeConcern: { w: 1 } });
  }

  async prepare(): Promise<void> {
    await this.signals.createIndex({ at: 1 });
    await this.signals.createIndex({ until: 1 });
  }

  async put(signals: readonly StoredSignal[]): Promise<void> {
    if (signals.length === 0) return;
    const writes = signals.map(({ subject, ...signal }) => ({
      replaceOne: { filter: { _id: subject }, replacement: signal, upsert: true },
    }));
    await this.signals.bulkWrite(writes, { ordered: false });
  }

  async since(
    time: number,
    { self, now }: { readonly self: string; readonly now: number },
  ): Promise<readonly StoredSignal[]> {
    const filter = { at: { $gte: time }, from: { $ne: self }, until: { $gt: now } };
    const found = await this.signals.find(filter, { sort: { at: -1 }, limit: MAX_SIGNALS }).toArray();
    return found.map(({ _id: subject, ...signal }) => ({ subject, ...signal })).reverse();
  }

  async forgetBefore(time: number): Promise<void> {
    await this.signals.deleteMany({ until: { $lte: time } });
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
