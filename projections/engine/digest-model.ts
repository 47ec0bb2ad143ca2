import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/event-store/canonical-json.js';
import type { Collection, Filter, Keyed } from '../../src/read-store/port.js';
import { withoutEngineFields } from './engine-fields.js';
import type { StoredModel } from './open-model.js';

const PAGE = 1_000;

/**
 * A digest of every document of a model, whatever the order in which they were written: two models with the same digest
 * hold the same documents. Engine fields do not count.
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

/** Every document in the order of the keys: numbers, then strings, since a comparison matches only values of one type. */
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
