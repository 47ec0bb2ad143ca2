import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { PageRequest } from '../../src/contexts/messages/narrow/page.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { embeddedPlace } from '../contract/support/read-store-places.js';
import { everyNarrow, isRare, nameOf, type Asked, type Narrow } from './support/every-narrow.js';
import { askFor, pageRequests } from './support/narrow-queries.js';
import { readerOf } from './support/narrow-reader.js';
import type { KnownTerm } from './support/known-terms.js';
import { batchOf, lastRareId, messagesOf, worlds } from './support/narrow-world.js';

/** Messages of the small and of the large store, beside those that are rare. */
const sizes = [400, 1600] as const;

/** Steps of SQLite's machine that may come with a larger store though what is found is the same: batches are cut elsewhere. */
const leeway = 1_500;

/** How many narrows are counted together. */
const together = 16;

/** A narrow, and the page of it that is asked for. */
interface AskedNarrow extends Narrow {
  readonly request: PageRequest;
}

interface Filled {
  readonly session: QuerySession;
  /** Steps of SQLite's machine since this was last asked. */
  readonly steps: () => number;
}

/**
 * Operators of which no index has what a negated term lets through: where nearly all messages are as they shall not be, those are looked at one
 * after the other until a page is full, the deadline is over, or something rare leads to what is left.
 */
const walkedNegated: ReadonlySet<string> = new Set([
  'topic',
  'dm',
  'dm-including',
  'sender',
  'mentions',
  'search',
  'has:link',
  'has:image',
  'has:attachment',
  'has:reaction',
  'is:mentioned',
  'is:alerted',
  'is:resolved',
]);

function mustWalk(terms: readonly Asked[], world: number): boolean {
  const isLed = terms.some(({ term, negated }) => !negated && isRare(term, world));
  const walks = ({ operator, operand }: KnownTerm): boolean =>
    walkedNegated.has(operator) || walkedNegated.has(`${operator}:${String(operand)}`);
  return !isLed && terms.some(({ term, negated }) => negated && !isRare(term, world) && walks(term));
}

describe('what narrows touch', () => {
  const context = readerOf({ readFrom: 24, readThrough: 10 * sizes[1] });
  const opened: { readonly store: ReadStore; readonly place: ReturnType<typeof embeddedPlace> }[] = [];
  /** By world: the small store and the large one. */
  const filled: (readonly Filled[])[] = [];

  async function fill(world: number, count: number): Promise<Filled> {
    const place = embeddedPlace();
    const store = openEmbeddedReadStore(place);
    opened.push({ store, place });
    const model = await store.openModel('messages', 1, messagesProjection.collections);
    await model.commit(batchOf(messagesOf(worlds[world]!, count)));
    const asking = jest.spyOn(Connection.prototype, 'row');
    await model.collection('messages').findOne({ _id: lastRareId });
    const [connection] = asking.mock.contexts;
    asking.mockRestore();
    if (!(connection instanceof Connection)) throw new Error('Nothing was asked');
    let before = 0;
    const steps = (): number => {
      const [total] = connection.row('SELECT total(nstep) FROM sqlite_stmt', []) ?? [];
      const since = (total as number) - before;
      before += since;
      return since;
    };
    steps();
    return { session: new QuerySession(model, context, new MessageCache()), steps };
  }

  beforeAll(async () => {
    for (const [world] of worlds.entries())
      filled.push([await fill(world, sizes[0]), await fill(world, sizes[1])]);
  });

  afterAll(async () => {
    for (const { store, place } of opened) {
      await store.close();
      await place.destroy();
    }
  });

  /** Those of some narrows of a world that take more steps in its large store: counting takes long, and so is done for many at once. */
  async function grownAmong(narrows: readonly AskedNarrow[]): Promise<readonly string[]> {
    const [first] = narrows;
    if (first === undefined) return [];
    const taken: number[] = [];
    for (const one of filled[first.world]!) {
      for (const { terms, request } of narrows) await askFor(one.session, terms, request);
      taken.push(one.steps());
    }
    const [small = 0, large = 0] = taken;
    if (large <= small + leeway) return [];
    if (narrows.length === 1) return [`${nameOf(first.terms)}: ${small} steps, then ${large}`];
    const middle = narrows.length >> 1;
    return [...(await grownAmong(narrows.slice(0, middle))), ...(await grownAmong(narrows.slice(middle)))];
  }

  it('does not grow with the number of messages that they do not find', async () => {
    const grown: string[] = [];
    const narrows = everyNarrow()
      .filter(({ world, terms }) => !mustWalk(terms, world))
      .map((narrow, at) => ({ ...narrow, request: pageRequests[at % pageRequests.length]! }));
    expect(narrows.length).toBeGreaterThan(2_000);
    for (const world of worlds.keys()) {
      const asked = narrows.filter((narrow) => narrow.world === world);
      for (let from = 0; from < asked.length; from += together)
        grown.push(...(await grownAmong(asked.slice(from, from + together))));
    }
    expect(grown).toEqual([]);
  });
});
