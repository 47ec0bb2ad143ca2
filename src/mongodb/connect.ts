import { MongoClient, type CollectionOptions } from 'mongodb';

/** Every write is on a majority's disks before it is acknowledged, and only what is there is read. */
export const durable: CollectionOptions = {
  writeConcern: { w: 'majority', j: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

/**
 * Connects to MongoDB; the path of the URL names the database.
 *
 * @throws MongoServerSelectionError when no server answers within ten seconds (or within the URL's own limit)
 */
export async function connectMongo(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000, promoteBuffers: true });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Whether a server refused a write because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}
