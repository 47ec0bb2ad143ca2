import { MongoClient, MongoServerError, MongoServerSelectionError } from 'mongodb';
import type { StoreProblem } from '../store-problem.js';

/** Timeout of one check, in milliseconds. */
const TIMEOUT = 3_000;

/** Unauthorized, AuthenticationFailed. */
const NO_RIGHT = 13;
const NO_LOGIN = 18;

/** Why MongoDB cannot be used; null: it can be. The result never contains the URL's password. */
export async function probeMongo(url: string): Promise<StoreProblem | null> {
  const client = clientOf(url);
  if (client === null)
    return { what: 'MONGODB_URL', reason: 'it is no connection string of MongoDB', isPermanent: true };
  const what = `MongoDB at ${client.options.srvHost ?? client.options.hosts.join(', ')}`;
  try {
    await client.connect();
    await client.db().collection('_models').findOne({});
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { what, ...reasonOf(error, client.options.dbName) };
  } finally {
    await client.close();
  }
}

/** Null: the URL cannot be parsed. The error is not repeated, because it may contain a password. */
function clientOf(url: string): MongoClient | null {
  try {
    return new MongoClient(url, { serverSelectionTimeoutMS: TIMEOUT });
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function reasonOf(error: Error, database: string): Pick<StoreProblem, 'reason' | 'isPermanent'> {
  const code = error instanceof MongoServerError ? error.code : null;
  if (code === NO_LOGIN)
    return { reason: 'the name or the password of the user is wrong', isPermanent: true };
  if (code === NO_RIGHT)
    return { reason: `its user may not read the database ${database}`, isPermanent: true };
  const message = messageOf(error);
  if (message.includes('ECONNREFUSED'))
    return { reason: 'nothing listens there (connection refused)', isPermanent: false };
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return { reason: 'there is no such host', isPermanent: false };
  if (/certificate|self.signed/i.test(message))
    return { reason: `its certificate is not trusted (${message})`, isPermanent: true };
  if (/wire version/.test(message))
    return { reason: `this program does not speak with its version (${message})`, isPermanent: true };
  return { reason: message, isPermanent: false };
}

/** If no server was found, each one's error says why. */
function messageOf(error: Error): string {
  if (!(error instanceof MongoServerSelectionError)) return error.message;
  const failed = [...(error.reason?.servers.values() ?? [])].find((server) => server.error !== null);
  return failed?.error?.message ?? error.message;
}
