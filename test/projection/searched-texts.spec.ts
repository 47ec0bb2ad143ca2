import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { messagesProjection } from '../../projections/messages.projection.js';
import { messageDefaults, type MessageDocument } from '../../src/contexts/messages/message-document.js';
import { topicDocumentOf, type TopicDocument } from '../../src/contexts/messages/conversation-documents.js';
import { MAX_MESSAGE_ID, everything } from '../../src/contexts/messages/narrow/sources.js';
import { isVague, matchesQuery, parseTextQuery } from '../../src/contexts/messages/text-search/text-query.js';
import { SearchedTexts } from '../../src/contexts/messages/text-search/searched-texts.js';
import type { FindOptions, Keyed, ModelStore, ReadStore } from '../../src/stores/read-store/port.js';
import { describeReadStores, type ReadStorePlace } from '../contract/support/read-store-places.js';

function message(_id: number, content: string, topic = 'threads'): MessageDocument {
  const place = { channelId: 1, topic, topicKey: topic, recipientId: 2 };
  return { ...messageDefaults, _id, senderId: 1, timestamp: _id, content, ...place };
}

const channelIds = new Set([1]);

/** What was read of the messages. */
interface Reads {
  rows: number;
  texts: number;
}

/** Counts what is read of the messages. */
function counting(model: ModelStore, reads: Reads): ModelStore {
  const collection: ModelStore['collection'] = <D extends Keyed>(name: string) => {
    const inner = model.collection<D>(name);
    if (name !== 'messages') return inner;
    const find = async (filter: object, options: FindOptions = {}): Promise<D[]> => {
      const found = await inner.find(filter as never, options);
      reads.rows += found.length;
      if (options.projection?.['content'] !== undefined) reads.texts += found.length;
      return found;
    };
    return Object.assign(Object.create(inner) as typeof inner, { find });
  };
  return Object.assign(Object.create(model) as ModelStore, { collection });
}

describeReadStores((newPlace) => {
  let place: ReadStorePlace;
  let store: ReadStore;
  let model: ModelStore;
  let reads: Reads;

  beforeEach(async () => {
    place = newPlace();
    store = await place.open();
    model = await store.openModel('messages', 1, messagesProjection.collections);
    reads = { rows: 0, texts: 0 };
  });

  afterEach(async () => {
    await store.close();
    await place.destroy();
  });

  async function keep(messages: readonly MessageDocument[]): Promise<void> {
    const topics = new Map<string, TopicDocument>();
    for (const { topic, _id } of messages) {
      const kept = topicDocumentOf({ channelId: 1, name: topic ?? '', lastMessageId: _id });
      topics.set(kept._id, kept);
    }
    const put = (collection: string) => (replacement: Keyed) => ({
      collection,
      write: { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } },
    });
    await model.commit({
      writes: [
        { collection: 'messages', write: { deleteMany: { filter: {} } } },
        { collection: 'topics', write: { deleteMany: { filter: {} } } },
        ...messages.map(put('messages')),
        ...[...topics.values()].map(put('topics')),
      ],
      checkpoint: { position: 1 },
      fencingToken: 1,
    });
  }

  function searching(sought: string | null, ...unwanted: readonly string[]): SearchedTexts {
    const texts = {
      sought: sought === null ? null : parseTextQuery(sought),
      unwanted: unwanted.map(parseTextQuery),
    };
    return new SearchedTexts(counting(model, reads), { texts });
  }

  async function found(
    searched: SearchedTexts,
    messages: readonly MessageDocument[],
  ): Promise<readonly number[]> {
    const results: (readonly number[])[] = [];
    for (const way of await searched.scans(channelIds)) {
      const ids = new Set(await way(everything, -1, messages.length + 1));
      const rows = await searched.passing(messages.filter(({ _id }) => ids.has(_id)));
      results.push(rows.map(({ _id }) => _id));
    }
    for (const result of results) expect(result).toEqual(results[0]);
    return results[0] ?? [];
  }

  describe('a search', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      message(index + 1, index % 2 === 0 ? 'warp and then weft' : 'weft, hardly warp'),
    );

    it('of a phrase that nobody wrote reads nothing, however common its words are', async () => {
      await keep(many);
      expect(await found(searching('"warp weft"'), many)).toEqual([]);
      expect(await found(searching('"the warp"'), many)).toEqual([]);
      expect(await found(searching('warp "weft hardly warp weft"'), many)).toEqual([]);
      expect(reads).toEqual({ rows: 0, texts: 0 });
    });

    it('of a phrase reads the texts alone in which its words are neighbours', async () => {
      const wrote = message(301, 'Warp. Weft!');
      const meant = message(302, 'the warp weft');
      await keep([...many, wrote, meant]);
      expect(await found(searching('"warp weft"'), [...many, wrote, meant])).toEqual([302]);
      expect(reads.texts).toBe(2);
    });

    it('examines no more messages than have the rarest word, in their text or topic', async () => {
      const rare = [
        message(301, 'weft warp bobbin'),
        message(302, 'bobbin'),
        message(303, 'weft', 'bobbin warp'),
      ];
      await keep([...many, ...rare]);
      const searched = searching('warp weft bobbin');
      const led: (readonly number[])[] = [];
      for (const way of await searched.scans(channelIds)) led.push(await way(everything, 1, 1_000));
      expect(led).toContainEqual([301, 303]);
      reads.rows = 0;
      const [first] = await searching('warp heddle').scans(channelIds);
      expect(await first?.(everything, 1, 1_000)).toEqual([]);
      expect(reads.rows).toBe(0);
    });

    it('that leaves out a common word asks the index, and reads no text', async () => {
      const without = message(301, 'a heddle');
      await keep([...many, without]);
      const passing = await searching(null, 'warp').passing([...many, without]);
      expect(passing.map(({ _id }) => _id)).toEqual([301]);
      expect(reads).toEqual({ rows: 300, texts: 0 });
    });
  });

  it('finds what a look at each text finds', async () => {
    const word = fc.constantFrom('warp', 'Warps', 'weft', 'the', 'loom-house', '織', 'a', '(weft)', 'größe');
    const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
    const topic = fc.constantFrom('threads', 'the warp', 'weft', 'warp weft', '織機');
    const operand = fc.oneof(
      text,
      text.map((words) => `"${words}"`),
      fc.tuple(text, text).map(([a, b]) => `${a} "${b}"`),
    );
    const runs = place.adapter === 'mongodb' ? 6 : 60;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, topic), { maxLength: 12 }),
        operand,
        operand,
        async (written, sought, unwanted) => {
          const messages = written.map(([content, where], index) => message(index + 1, content, where));
          const [query, other] = [parseTextQuery(sought), parseTextQuery(unwanted)];
          fc.pre(!isVague(query));
          await keep(messages);
          const wanted = messages.filter(
            (one) => matchesQuery(query, one) && (isVague(other) || !matchesQuery(other, one)),
          );
          const ids = await found(searching(sought, unwanted), messages);
          expect(ids).toEqual(wanted.map(({ _id }) => _id));
          for (const way of await searching(sought).scans(channelIds))
            expect((await way({ from: 1, to: MAX_MESSAGE_ID }, 1, 3)).length).toBeLessThanOrEqual(3);
        },
      ),
      { numRuns: runs },
    );
  });
});
