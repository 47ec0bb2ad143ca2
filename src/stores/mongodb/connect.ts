import { MongoBulkWriteError, type CollectionOptions, type Condition, type MongoClient } from 'mongodb';
import { WatchedMongoClient } from './watched-client.js';

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
  const client = new WatchedMongoClient(url, { serverSelectionTimeoutMS: 10_000, promoteBuffers: true });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The condition that a field is one of these values. One value alone is equality: servers that plan little find only that by a key. */
export function oneOf<Value>(values: readonly Value[]): Condition<Value> {
  const [value] = values;
  return (values.length === 1 ? value : { $in: [...values] }) as Condition<Value>;
}

const DUPLICATE_KEY = 11_000;

/** Whether a server refused a write because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;
}

/**
 * The places in a batch of the writes that were refused because a unique index already holds their keys: at least one.
 *
 * @throws the error itself where anything else went wrong. The driver wraps also what is no answer of the server, such as a connection
 *   that broke, into a `MongoBulkWriteError`, and then names no write: nothing is known of any of them.
 */
export function duplicatesIn(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  const isRefusalAlone = refused.length > 0 && error.result.getWriteConcernError() === undefined;
  if (!isRefusalAlone || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return refused.map(({ index }) => index);
}
