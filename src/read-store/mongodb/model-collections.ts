import { MongoServerError, type Db, type IndexDescription } from 'mongodb';
import type { CollectionDefinition, IndexDefinition } from '../port.js';
import { indexKeys } from '../language/definitions.js';

const NAMESPACE_EXISTS = 48;

/** The name says all about the index, so that another definition is another index. */
function indexDescription(definition: IndexDefinition): IndexDescription & { readonly name: string } {
  const keys = indexKeys(definition);
  const unique = definition.unique ?? false;
  const name = [
    ...keys.map(({ path, direction }) => `${path}_${direction}`),
    ...(unique ? ['unique'] : []),
  ].join('_');
  return { key: new Map(keys.map(({ path, direction }) => [path, direction])), name, unique };
}

async function createCollection(database: Db, name: string): Promise<void> {
  try {
    await database.createCollection(name);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

/** Makes a collection with its indexes, and removes those that are no longer declared. */
export async function prepareCollection(
  database: Db,
  name: string,
  { indexes }: CollectionDefinition,
): Promise<void> {
  await createCollection(database, name);
  const collection = database.collection(name);
  const wanted = indexes.map(indexDescription);
  const declared = new Set(['_id_', ...wanted.map((index) => index.name)]);
  const stored = (await collection.listIndexes().toArray()) as { readonly name?: string }[];
  const existing = new Set(stored.map((index) => index.name ?? ''));
  for (const index of existing) if (!declared.has(index)) await collection.dropIndex(index);
  // One at a time and only what is missing: the server that the tests run on ends the connection when it is to compare an
  // index with others that begin with the same fields.
  for (const index of wanted) if (!existing.has(index.name)) await collection.createIndexes([index]);
}
