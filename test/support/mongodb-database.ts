import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/**
 * The URL of a new database on the server that `MONGODB_URL` names.
 *
 * @throws Error when the variable is not set
 */
export function newDatabaseUrl(): string {
  const given = process.env['MONGODB_URL'];
  if (given === undefined) throw new Error('MONGODB_URL is missing: the server to make databases on');
  const url = new URL(given);
  url.pathname = `/palimpsest_${randomUUID().slice(0, 8)}`;
  return url.href;
}

/** Removes the database of a URL. */
export async function dropDatabase(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  await client.db().dropDatabase();
  await client.close();
}
