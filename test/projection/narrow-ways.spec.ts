import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { messagesProjection } from '../../projections/messages.projection.js';
import { readPage } from '../../src/contexts/messages/narrow/page.js';
import { parseNarrow, type Term } from '../../src/contexts/messages/narrow/terms.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import { isRefusal } from '../../src/kernel/errors.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { Random } from '../bench/large/random.js';
import { describeReadStores, type ReadStorePlace } from '../contract/support/read-store-places.js';
import { readerOf } from './support/narrow-reader.js';
import { knownTerms } from './support/known-terms.js';
import { batchOf, mixedMessages } from './support/narrow-world.js';

const count = 700;
const everyId = Array.from({ length: count }, (_, at) => at + 1);

const narrow = fc.array(fc.record({ at: fc.nat(knownTerms.length - 1), negated: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

function termsOf(chosen: readonly { readonly at: number; readonly negated: boolean }[]): readonly Term[] {
  return parseNarrow(
    chosen.map(({ at, negated }) => {
      const { operator, operand } = knownTerms[at]!;
      return { operator, operand, negated };
    }),
  );
}

/** From which end pages are read, and how long they are. */
interface End {
  readonly order: 1 | -1;
  readonly limit: number;
}

const end: fc.Arbitrary<End> = fc.record({
  order: fc.constantFrom(1 as const, -1 as const),
  limit: fc.constantFrom(7, 60, 1_000),
});

describeReadStores((newPlace) => {
  const context = readerOf({ readFrom: 200, readThrough: 500 });
  let place: ReadStorePlace;
  let store: ReadStore;
  const sessions: QuerySession[] = [];

  beforeAll(async () => {
    place = newPlace();
    store = await place.open();
    for (const seed of [1, 2, 3]) {
      const model = await store.openModel(`messages-${seed}`, 1, messagesProjection.collections);
      await model.commit(batchOf(mixedMessages(new Random(seed), count)));
      sessions.push(new QuerySession(model, context, new MessageCache()));
    }
  });

  afterAll(async () => {
    await store.close();
    await place.destroy();
  });

  /** Page by page, from one of the ends. */
  async function idsFound(
    session: QuerySession,
    terms: readonly Term[],
    { order, limit }: End,
  ): Promise<number[]> {
    const compiled = await session.compile(terms);
    const found: number[] = [];
    for (;;) {
      const id = found.at(-1) ?? (order === 1 ? 0 : count + 1);
      const [before, after] = order === 1 ? [0, limit] : [limit, 0];
      const request = { anchor: { type: 'id', id }, includeAnchor: false, before, after } as const;
      const page = await readPage(compiled, request, session.search.states);
      const ids = page.messages.map(({ _id }) => _id);
      found.push(...(order === 1 ? ids : ids.reverse()));
      if (order === 1 ? page.foundNewest : page.foundOldest) return found;
    }
  }

  it('finds the same messages by every query plan as by examining every message', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.tuple(narrow, end), async (at, [chosen, from]) => {
        const session = sessions[at]!;
        try {
          const terms = termsOf(chosen);
          const wanted = (await session.within(everyId, terms)).map(({ _id }) => _id);
          const found = await idsFound(session, terms, from);
          expect(from.order === 1 ? found : found.reverse()).toEqual(wanted);
          compared += wanted.length;
        } catch (error) {
          if (!isRefusal(error)) throw error;
        }
      }),
      { numRuns: place.adapter === 'mongodb' ? 40 : 300 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
