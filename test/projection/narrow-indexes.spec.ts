import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { PageRequest } from '../../src/contexts/messages/narrow/page.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { Filter, ModelStore, ReadStore, Sort } from '../../src/stores/read-store/port.js';
import { embeddedPlace } from '../contract/support/read-store-places.js';
import { everyNarrow, nameOf, type Narrow } from './support/every-narrow.js';
import { pageRequests, queriesOf } from './support/narrow-queries.js';
import { batchOf, messagesOf, worlds } from './support/narrow-world.js';
import { isServed } from './support/served-filters.js';

const declared = new Map(messagesProjection.collections.map((collection) => [collection.name, collection]));

// A server that chooses among its indexes by itself, such as MongoDB's, is given nothing else to go by.
describe('the indexes that are declared', () => {
  const narrows = everyNarrow();
  const opened: { readonly store: ReadStore; readonly place: ReturnType<typeof embeddedPlace> }[] = [];
  const models: ModelStore[] = [];

  beforeAll(async () => {
    for (const common of worlds) {
      const place = embeddedPlace();
      const store = openEmbeddedReadStore(place);
      opened.push({ store, place });
      const model = await store.openModel('messages', 1, messagesProjection.collections);
      await model.commit(batchOf(messagesOf(common, 60)));
      models.push(model);
    }
  });

  afterAll(async () => {
    for (const { store, place } of opened) {
      await store.close();
      await place.destroy();
    }
  });

  async function unserved({ world, terms }: Narrow, request: PageRequest): Promise<readonly string[]> {
    const queries = await queriesOf(models[world]!, terms, request);
    return queries.flatMap(({ collection, filter, options }) =>
      isServed(declared.get(collection)!, filter, options.sort)
        ? []
        : [`${nameOf(terms)}: ${collection} ${JSON.stringify(filter)} ${JSON.stringify(options.sort)}`],
    );
  }

  it('serve each branch of every query of every narrow', async () => {
    const found: string[] = [];
    for (const [at, narrow] of narrows.entries())
      found.push(...(await unserved(narrow, pageRequests[at % pageRequests.length]!)));
    expect(narrows.length).toBeGreaterThan(2_000);
    expect(found).toEqual([]);
  });

  it.each<[Filter, Sort]>([
    [{ channelId: 1 }, { timestamp: 1 }],
    [{ channelId: 1, topicKey: 'engines' }, { arrival: 1 }],
    [{ $or: [{ channelId: 1 }, { senderId: 1 }] }, { _id: 1 }],
  ])('do not serve %j in the order %j', (filter, sort) => {
    expect(isServed(declared.get('messages')!, filter)).toBe(true);
    expect(isServed(declared.get('messages')!, filter, sort)).toBe(false);
  });

  it.each([
    { hasLink: true },
    { channelId: { $gt: 3 } },
    { topicKey: 'engines' },
    { channelId: null, hasImage: true },
    { $or: [{ channelId: 1 }, { topicKey: 'engines' }] },
    { $nor: [{ channelId: 1 }] },
    { conversation: null },
  ])('do not serve %j', (filter) => {
    expect(isServed(declared.get('messages')!, filter)).toBe(false);
  });
});
