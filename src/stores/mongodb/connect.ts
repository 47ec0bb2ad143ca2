import {
  MongoBulkWriteError,
  type CollectionOptions,
  type Condition,
  type MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import { withinTime } from '../../runtime/within-time.js';
import { WatchedMongoClient } from './watched-client.js';

/** Every write is on a majority's disks before it is acknowledged, and only what is there is read. */
export const durable: CollectionOptions = {
  writeConcern: { w: 'majority', j: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

/**
 * When the driver gives a connection up on which nothing comes, in milliseconds: longer than the largest batch of a read model takes. Its
 * `timeoutMS` does nothing as of driver 7.9.
 */
const SILENCE = 600_000;

/**
 * Connects to MongoDB; the path of the URL names the database.
 *
 * @throws MongoServerSelectionError when no server answers within ten seconds (or within the URL's own `serverSelectionTimeoutMS`)
 */
export async function connectMongo(url: string): Promise<MongoClient> {
  const client = new WatchedMongoClient(url, { ...limitsBeside(url), promoteBuffers: true });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Options that a URL does not set by itself: the driver would take ours instead of the URL's. */
function limitsBeside(url: string): MongoClientOptions {
  const isSet = (name: string): boolean => new RegExp(`[?&]${name}=`, 'i').test(url);
  return {
    ...(!isSet('serverSelectionTimeoutMS') && { serverSelectionTimeoutMS: 10_000 }),
    ...(!isSet('socketTimeoutMS') && { socketTimeoutMS: SILENCE }),
  };
}

/** The server did not answer in time. What it was asked to write may be written all the same. */
export class MongoAnswerTimeoutError extends Error {
  override readonly name = 'MongoAnswerTimeoutError';
}

/**
 * Does something that a request waits for, for as long as the driver may look for a server (ten seconds, or the URL's own
 * `serverSelectionTimeoutMS`): one that is found and then stands still keeps nobody waiting longer than one that is not found.
 *
 * @throws MongoAnswerTimeoutError when it takes longer; the driver's own attempts end later, by themselves
 */
export function inTime<Result>(client: MongoClient, task: () => Promise<Result>): Promise<Result> {
  const milliseconds = client.options.serverSelectionTimeoutMS;
  const late = (): Error => new MongoAnswerTimeoutError(`MongoDB did not answer within ${milliseconds} ms`);
  return withinTime(task, milliseconds, late);
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

/** Of two upserts that race to make a document, the server refuses one as a duplicate: it is an update by then. */
export async function onceMoreWhenInserted(upsert: () => Promise<unknown>): Promise<void> {
  try {
    await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await upsert();
  }
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
