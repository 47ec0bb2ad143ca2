import { BSON, type Document } from 'mongodb';
import type { Upstream } from './wire.js';

/** A collection of the server behind the stand-in. */
export interface Place {
  readonly database: string;
  readonly collection: string;
}

/** The name of a document's lock in {@link Locks}. */
export function lockName({ database, collection }: Place, id: unknown): string {
  return `${database}.${collection}:${keyOf(id)}`;
}

export function keyOf(value: unknown): string {
  return Buffer.from(BSON.serialize({ value: value ?? null })).toString('base64');
}

/** The documents that a filter matches. */
export async function findAll(
  upstream: Upstream,
  { database, collection }: Place,
  query: { readonly filter: Document; readonly projection?: Document },
): Promise<Document[]> {
  const first = await upstream.command({ find: collection, ...query, batchSize: 1_000, $db: database });
  mustBeOk(first);
  const cursor = first['cursor'] as Document;
  const found = [...(cursor['firstBatch'] as Document[])];
  for (let id: unknown = cursor['id']; String(id) !== '0';) {
    const next = await upstream.command({ getMore: id, collection, batchSize: 1_000, $db: database });
    mustBeOk(next);
    const { nextBatch, id: following } = next['cursor'] as { nextBatch: Document[]; id: unknown };
    found.push(...nextBatch);
    id = following;
  }
  return found;
}

/** The fields of a collection's unique indexes, without `_id`. */
export async function uniqueKeys(
  upstream: Upstream,
  { database, collection }: Place,
): Promise<readonly (readonly string[])[]> {
  const reply = await upstream.command({ listIndexes: collection, cursor: {}, $db: database });
  // The collection does not exist yet.
  if (Number(reply['ok']) !== 1) return [];
  const indexes = (reply['cursor'] as Document)['firstBatch'] as Document[];
  return indexes
    .filter((index) => index['unique'] === true && index['name'] !== '_id_')
    .map((index) => Object.keys(index['key'] as Document));
}

/** @throws Error when the server refused a command of the stand-in itself */
export function mustBeOk(reply: Document): void {
  const errors = (reply['writeErrors'] ?? []) as Document[];
  if (Number(reply['ok']) === 1 && errors.length === 0) return;
  throw new Error(`The server behind the stand-in refused: ${JSON.stringify(reply)}`);
}

/** The keys in a filter: one value or a list; null: the filter does not select by key. */
export function keysNamed(filter: Document): readonly unknown[] | null {
  const condition: unknown = filter['_id'];
  if (condition === undefined || condition === null) return null;
  const constructor = condition.constructor;
  if (constructor !== Object) return [condition];
  const { $in, $eq, ...others } = condition as { readonly $in?: readonly unknown[]; readonly $eq?: unknown };
  if (Object.keys(others).length > 0) return null;
  return $in ?? ($eq === undefined ? null : [$eq]);
}

/** A filter for several keys. For one key it is an equality, because the server only uses its index for that. */
export function isOneOf(ids: readonly unknown[]): Document {
  return { _id: ids.length === 1 ? ids[0] : { $in: ids } };
}

/** The filters of a write command. Inserted documents are selected by their keys. */
export function filtersOf(command: Document): readonly Document[] {
  const listed = (command['updates'] ?? command['deletes']) as readonly Document[] | undefined;
  if (listed !== undefined) return listed.map(({ q }) => q as Document);
  const added = command['documents'] as readonly Document[] | undefined;
  if (added !== undefined) return [isOneOf(added.map(({ _id }) => _id as unknown))];
  return [(command['query'] ?? {}) as Document];
}
