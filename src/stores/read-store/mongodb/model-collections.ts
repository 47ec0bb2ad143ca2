import {
  MongoServerError,
  type Collection as DriverCollection,
  type Db,
  type IndexDescription,
} from 'mongodb';
import type { CollectionDefinition, IndexDefinition, PartialFilter } from '../port.js';
import { indexKeys } from '../language/definitions.js';
import { answered, whileAnswering } from './errors.js';
import type { Connected } from './mongo-model-store.js';

const NAMESPACE_EXISTS = 48;

/** CannotCreateIndex, InvalidOptions, InvalidIndexSpecificationOption, NotImplemented. */
const indexRefusals: ReadonlySet<unknown> = new Set([67, 72, 197, 238]);

/** IndexOptionsConflict, IndexKeySpecsConflict: there is one with the same fields. */
const indexConflicts: ReadonlySet<unknown> = new Set([85, 86]);

/** The name contains everything about the index, so that a changed definition is another index. */
function indexDescription(definition: IndexDefinition): IndexDescription & { readonly name: string } {
  const keys = indexKeys(definition);
  const unique = definition.unique ?? false;
  const { partialFilterExpression } = definition;
  const name = [
    ...keys.map(({ path, direction }) => `${path}_${direction}`),
    ...(unique ? ['unique'] : []),
    ...(partialFilterExpression ? ['where', nameOf(partialFilterExpression)] : []),
  ].join('_');
  const key = new Map(keys.map(({ path, direction }) => [path, direction]));
  return { key, name, unique, ...(partialFilterExpression && { partialFilterExpression }) };
}

/** Some servers refuse quotation marks in the name of an index. */
function nameOf(expression: PartialFilter): string {
  return Buffer.from(JSON.stringify(expression)).toString('base64url');
}

/**
 * Creates an index. If the server does not support partial indexes, it contains all documents and serves the same filters; on such servers,
 * one index stands for all that have the same fields. MongoDB before 5.0 supports one partial index for the same fields and refuses others:
 * their filters are then served by an index for all documents that begins with these fields, or by none. See docs/servers.md.
 */
async function createIndex(collection: DriverCollection, wanted: IndexDescription): Promise<void> {
  const { partialFilterExpression, ...whole } = wanted;
  try {
    await collection.createIndexes([wanted]);
  } catch (error) {
    if (partialFilterExpression === undefined || !(error instanceof MongoServerError)) throw error;
    if (indexConflicts.has(error.code)) return;
    if (!indexRefusals.has(error.code)) throw error;
    await createWholeIndex(collection, whole);
  }
}

async function createWholeIndex(collection: DriverCollection, wanted: IndexDescription): Promise<void> {
  try {
    await collection.createIndexes([wanted]);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !indexConflicts.has(error.code)) throw error;
  }
}

async function createCollection(database: Db, name: string): Promise<void> {
  try {
    await database.createCollection(name);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

/**
 * Creates a collection with its indexes, and removes those that are no longer declared. A new index may take as long as the collection is
 * large, while the server answers.
 *
 * @throws ReadStoreUnavailableError when it does not
 */
export async function prepareCollection(
  { client, database }: Pick<Connected, 'client' | 'database'>,
  name: string,
  { indexes, termIndex }: CollectionDefinition,
): Promise<void> {
  await answered(client, () => createCollection(database, name));
  const collection = database.collection(name);
  const terms: IndexDefinition[] = termIndex === undefined ? [] : [{ key: { [termIndex.path]: 1, _id: 1 } }];
  const wanted = [...indexes, ...terms].map(indexDescription);
  const declared = new Set(['_id_', ...wanted.map((index) => index.name)]);
  const stored: readonly { readonly name?: string }[] = await answered(client, () =>
    collection.listIndexes().toArray(),
  );
  const existing = new Set(stored.map((index) => index.name ?? ''));
  for (const index of existing)
    if (!declared.has(index)) await answered(client, () => collection.dropIndex(index));
  // One at a time and only missing ones: the server of the tests closes the connection when it compares an index with others that begin
  // with the same fields.
  for (const index of wanted)
    if (!existing.has(index.name)) await whileAnswering(client, () => createIndex(collection, index));
}
