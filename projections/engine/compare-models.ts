import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/stores/event-store/canonical-json.js';
import type { Collection, Filter, Keyed, ModelStore } from '../../src/stores/read-store/port.js';
import { withoutEngineFields } from './engine-fields.js';
import type { StoredModel } from './open-model.js';
import type { Projection } from './projection.js';

const PAGE = 1_000;

/** All documents in the order of their keys: numbers first, then strings, because a comparison matches only values of one type. */
async function* documentsOf(collection: Collection): AsyncGenerator<Keyed> {
  for (const start of [{ $gte: Number.MIN_SAFE_INTEGER }, { $gte: '' }]) {
    let from: Filter | null = { _id: start };
    while (from !== null) {
      const page: readonly Keyed[] = await collection.find(from, { sort: { _id: 1 }, limit: PAGE });
      for (const stored of page) yield withoutEngineFields(stored).document;
      from = page.length < PAGE ? null : { _id: { $gt: page.at(-1)!._id } };
    }
  }
}

/**
 * A digest of all documents of a model, independent of the order of writes: models with the same documents have the same digest. Engine
 * fields do not count.
 *
 * @returns SHA-256, hexadecimal
 */
export async function digestModel({ projection, model }: StoredModel): Promise<string> {
  const digest = createHash('sha256');
  const names = projection.collections.map(({ name }) => name).sort();
  for (const name of names) {
    digest.update(`${JSON.stringify(name)}\n`);
    for await (const document of documentsOf(model.collection(name))) {
      digest.update(`${canonicalJson(document)}\n`);
    }
  }
  return digest.digest('hex');
}

/** A document that differs between two models. */
export interface DifferingDocument {
  readonly collection: string;
  readonly id: number | string;
  /** Null: the model does not have it. */
  readonly one: Keyed | null;
  readonly other: Keyed | null;
}

/** The documents in which two models of a projection differ, without engine fields. Only one page of each model is in memory. */
export async function* differingDocuments(
  { collections }: Projection,
  one: ModelStore,
  other: ModelStore,
): AsyncGenerator<DifferingDocument> {
  for (const { name } of collections) {
    const left = documentsOf(one.collection(name));
    const right = documentsOf(other.collection(name));
    let [a, b] = [await next(left), await next(right)];
    while (a !== null || b !== null) {
      const order = compareIds(a, b);
      const pair = { one: order <= 0 ? a : null, other: order >= 0 ? b : null };
      if (!areSame(pair.one, pair.other)) {
        yield { collection: name, id: (pair.one ?? pair.other)!._id, ...pair };
      }
      if (order <= 0) a = await next(left);
      if (order >= 0) b = await next(right);
    }
  }
}

/** Reads one document again. */
export async function documentIn(
  model: ModelStore,
  collection: string,
  id: number | string,
): Promise<Keyed | null> {
  const stored = await model.collection(collection).findOne({ _id: id });
  return stored && withoutEngineFields(stored).document;
}

/** Whether two documents are equal, ignoring the order of their members. */
export function areSame(one: Keyed | null, other: Keyed | null): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

async function next(documents: AsyncGenerator<Keyed>): Promise<Keyed | null> {
  const result = await documents.next();
  return result.done === true ? null : result.value;
}

/** Compares by id; a missing document sorts last. */
function compareIds(a: Keyed | null, b: Keyed | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a._id !== typeof b._id) return typeof a._id === 'number' ? -1 : 1;
  if (typeof a._id === 'number') return a._id - (b._id as number);
  return Buffer.compare(Buffer.from(a._id), Buffer.from(b._id as string));
}
