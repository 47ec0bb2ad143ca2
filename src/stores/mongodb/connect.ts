import {
  MongoBulkWriteError,
  type CollectionOptions,
  type Condition,
  type MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import { withinTime } from '../../runtime/within-time.js';
import { WatchedMongoClient } from './watched-client.js';

/** Writes are on the disks of a majority before they are acknowledged, and only such writes are read. */
export const durable: CollectionOptions = {
  writeConcern: { w: 'majority', j: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

/**
 * Milliseconds without traffic after which the driver closes a connection: longer than the largest batch of a read model takes. The
 * driver's `timeoutMS` has no effect as of version 7.9.
 */
const SILENCE = 600_000;

/**
 * Connects to MongoDB; the path of the URL names the database.
 *
 * @throws MongoServerSelectionError when no server answers within ten seconds (or within the URL's own `serverSelectionTimeoutMS`)
 */
export async function connectMongo(url: string): Promise<MongoClient> {
  const client = new WatchedMongoClient(url, { ...defaultTimeouts(url), promoteBuffers: true });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Our options without those that the URL sets, which they would override. */
function defaultTimeouts(url: string): MongoClientOptions {
  const isSet = (name: string): boolean => new RegExp(`[?&]${name}=`, 'i').test(url);
  return {
    ...(!isSet('serverSelectionTimeoutMS') && { serverSelectionTimeoutMS: 10_000 }),
    ...(!isSet('socketTimeoutMS') && { socketTimeoutMS: SILENCE }),
  };
}

/** The server did not answer in time. A write may have been made all the same. */
class MongoAnswerTimeoutError extends Error {
  override readonly name = 'MongoAnswerTimeoutError';
}

/**
 * Runs a task that a request waits for, with a timeout of as long as the driver may look for a server (ten seconds, or the URL's own
 * `serverSelectionTimeoutMS`), so that a server that hangs delays nobody longer than one that cannot be found.
 *
 * @throws MongoAnswerTimeoutError on timeout; the driver's own attempts end later
 */
export function inTime<Result>(client: MongoClient, task: () => Promise<Result>): Promise<Result> {
  const milliseconds = client.options.serverSelectionTimeoutMS;
  const late = (): Error => new MongoAnswerTimeoutError(`MongoDB did not answer within ${milliseconds} ms`);
  return withinTime(task, milliseconds, late);
}

/** The condition that a field is one of these values. For a single value it is an equality, because some servers only use an index for that. */
export function oneOf<Value>(values: readonly Value[]): Condition<Value> {
  const [value] = values;
  return (values.length === 1 ? value : { $in: [...values] }) as Condition<Value>;
}

const DUPLICATE_KEY = 11_000;

/** Whether a server rejected a write because a unique index contains its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;
}

/** Of two concurrent upserts that create a document, the server may reject one as a duplicate. Repeated, it is an update. */
export async function retryOnDuplicateKey(upsert: () => Promise<unknown>): Promise<void> {
  try {
    await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await upsert();
  }
}

/**
 * The indexes in a batch of the writes that were rejected because a unique index contains their keys: at least one.
 *
 * @throws the error itself when it has any other cause. The driver also wraps errors that are not from the server, such as a broken
 *   connection, into a `MongoBulkWriteError` without naming a write: then the outcome of all of them is unknown.
 */
export function duplicatesIn(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  const isRefusalAlone = refused.length > 0 && error.result.getWriteConcernError() === undefined;
  if (!isRefusalAlone || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return refused.map(({ index }) => index);
}
