import type { Collection, MongoClient } from 'mongodb';
import { connectMongo, duplicatesIn, inTime } from '../../mongodb/connect.js';
import { QueueStoreUnavailableError, type QueueStore, type StoredQueue } from '../port.js';

interface QueueDocument extends Omit<StoredQueue, 'id'> {
  readonly _id: string;
}

interface HolderDocument {
  readonly _id: string;
  readonly until: number;
}

/**
 * Connects to the collections `event_queues` and `event_queue_holders`, and creates their indexes if they are missing.
 *
 * @param options `url`: its path names the database
 */
export async function connectMongoQueueStore({ url }: { readonly url: string }): Promise<QueueStore> {
  const client = await connectMongo(url);
  try {
    const store = new MongoQueueStore(client);
    await store.prepare();
    return store;
  } catch (error) {
    await client.close();
    throw error;
  }
}

class MongoQueueStore implements QueueStore {
  private readonly queues: Collection<QueueDocument>;
  private readonly holders: Collection<HolderDocument>;

  constructor(private readonly client: MongoClient) {
    this.queues = client.db().collection<QueueDocument>('event_queues');
    this.holders = client.db().collection<HolderDocument>('event_queue_holders');
  }

  async prepare(): Promise<void> {
    await this.queues.createIndex({ until: 1 });
    await this.queues.createIndex({ settled: 1 });
    await this.holders.createIndex({ until: 1 });
  }

  async put(queues: readonly StoredQueue[]): Promise<readonly string[]> {
    if (queues.length === 0) return [];
    const writes = queues.map(({ id, ...queue }) => ({
      updateOne: { filter: { _id: id, holder: queue.holder }, update: { $set: queue }, upsert: true },
    }));
    const taken = await this.inTime(async () => {
      try {
        await this.queues.bulkWrite(writes, { ordered: false });
        return [];
      } catch (error) {
        // Queues that another process holds.
        return duplicatesIn(error).flatMap((index) => queues[index]?.id ?? []);
      }
    });
    if (taken.length === 0) return [];
    // Some servers that speak the protocol stop at the first error of an unordered batch.
    return [...taken, ...(await this.put(queues.filter(({ id }) => !taken.includes(id))))];
  }

  find(id: string): Promise<StoredQueue | null> {
    return this.inTime(async () => {
      const found = await this.queues.findOne({ _id: id });
      if (found === null) return null;
      const { _id, ...queue } = found;
      return { id, ...queue };
    });
  }

  take(id: string, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
    return this.inTime(async () => {
      const filter = { _id: id, holder: from };
      return (await this.queues.updateOne(filter, { $set: { holder: to } })).matchedCount === 1;
    });
  }

  remove(ids: readonly string[], holder: string): Promise<void> {
    return this.removeWhere({ _id: { $in: [...ids] }, holder });
  }

  removeRegisteredBefore(position: number): Promise<void> {
    return this.removeWhere({ base: { $lt: position } });
  }

  async removeBefore(time: number): Promise<void> {
    await this.removeWhere({ until: { $lt: time } });
    await this.inTime(() => this.holders.deleteMany({ until: { $lt: time } }));
  }

  leastSettled(): Promise<number | null> {
    return this.inTime(async () => {
      const found = await this.queues.findOne({}, { sort: { settled: 1 }, projection: { settled: 1 } });
      return found?.settled ?? null;
    });
  }

  async noteHolder(holder: string, until: number | null): Promise<void> {
    await this.inTime(async () => {
      if (until === null) await this.holders.deleteOne({ _id: holder });
      else await this.holders.updateOne({ _id: holder }, { $set: { until } }, { upsert: true });
    });
  }

  holderUntil(holder: string): Promise<number | null> {
    return this.inTime(async () => (await this.holders.findOne({ _id: holder }))?.until ?? null);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** A timeout, because requests wait for most operations. */
  private inTime<Result>(task: () => Promise<Result>): Promise<Result> {
    return guarded(() => inTime(this.client, task));
  }

  private async removeWhere(filter: Parameters<typeof this.queues.deleteMany>[0]): Promise<void> {
    await this.inTime(() => this.queues.deleteMany(filter));
  }
}

async function guarded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    throw new QueueStoreUnavailableError('The store of queues does not answer', { cause });
  }
}
