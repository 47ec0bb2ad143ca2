import type { Collection, Filter, Keyed } from '../../src/stores/read-store/port.js';
import { withoutEngineFields } from './engine-fields.js';

const PAGE = 1_000;

/** All documents in the order of their keys: numbers first, then strings, because a comparison matches only values of one type. */
export async function* documentsOf(collection: Collection): AsyncGenerator<Keyed> {
  for (const start of [{ $gte: Number.MIN_SAFE_INTEGER }, { $gte: '' }]) {
    let from: Filter | null = { _id: start };
    while (from !== null) {
      const page: readonly Keyed[] = await collection.find(from, { sort: { _id: 1 }, limit: PAGE });
      for (const stored of page) yield withoutEngineFields(stored).document;
      from = page.length < PAGE ? null : { _id: { $gt: page.at(-1)!._id } };
    }
  }
}
