import { describe, expect, it } from '@jest/globals';
import { withMovedCounts, type MovedCountSources } from '../../src/audit/queries/moved-counts.js';
import type { DescribedEvent } from '../../src/audit/queries/known-names.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import { failure } from '../../src/kernel/errors.js';
import { ReadStoreUnavailableError, type ModelStore } from '../../src/stores/read-store/port.js';
import { TestLog } from '../support/given.js';
import { standIn } from '../support/stand-in.js';

const none = { of: () => Promise.resolve([]) };
const selection = { channelId: 1, topic: 'looms', bounds: { after: 0, through: null }, visible: null };
const notify = { oldThread: false, newThread: false };
const move: MoveEvent = {
  type: 'MessagesMoved',
  data: { messageId: 41, mode: 'change_all', selection, newTopic: 'weaving', newChannel: null, notify },
};
const moves: readonly DescribedEvent[] = new TestLog()
  .append('channel-1', [move, move, move])
  .map((event) => ({ ...event, sentence: 'Ada moved messages' }));

const positions = moves.map((one) => one.position);

/** A read model that passed moves up to one of them, of which the second alone moved something. */
function modelAt(passed: number | null): ModelStore {
  return standIn<ModelStore>({
    checkpoint: () => Promise.resolve({ position: passed === null ? null : positions[passed] }),
    collection: () => ({ find: () => Promise.resolve([{ position: positions[1], moved: { count: 2 } }]) }),
  });
}

function sourcesOver(model: ModelStore): MovedCountSources {
  return { messages: { model: () => Promise.resolve(model) }, discarded: none };
}

describe('The events of moves', () => {
  it('come without the number where the read model skipped the move', async () => {
    const { id, position, stream, type } = moves[2]!;
    const skipped = { id, position, stream, type, reason: 'Not readable', discardedAt: 0 };
    const discarded = {
      of: (name: string) => Promise.resolve(name === 'messages' ? [skipped] : []),
    };
    const shown = await withMovedCounts(moves, { ...sourcesOver(modelAt(2)), discarded });
    expect(shown.map((event) => event.moved_messages)).toEqual([0, 2, undefined]);
  });

  it.each([
    { passed: null, counts: [undefined, 2, undefined] },
    { passed: 0, counts: [0, 2, undefined] },
    { passed: 2, counts: [0, 2, 0] },
  ])('come with 0 where nothing was moved, up to the checkpoint $passed', async ({ passed, counts }) => {
    const model = modelAt(passed);
    const shown = await withMovedCounts(moves, sourcesOver(model));
    expect(shown.map((event) => event.moved_messages)).toEqual(counts);
  });
});

describe('The events of moves where their numbers cannot be looked up', () => {
  const down = new ReadStoreUnavailableError('The read models did not answer');

  it.each([
    ['no read model serves', () => Promise.reject(failure('unavailable'))],
    ['the read store cannot be reached', () => Promise.reject(down)],
    [
      'the read store fails while it is read',
      () => {
        const rejects = (): Promise<never> => Promise.reject(down);
        return Promise.resolve(
          standIn<ModelStore>({ checkpoint: rejects, collection: () => ({ find: rejects }) }),
        );
      },
    ],
  ])('come without them: %s', async (_reason, model) => {
    expect(await withMovedCounts(moves, { messages: { model }, discarded: none })).toEqual(moves);
  });

  it('are refused with what went wrong otherwise', async () => {
    const model = (): Promise<ModelStore> => Promise.reject(new Error('Another one'));
    await expect(withMovedCounts(moves, { messages: { model }, discarded: none })).rejects.toThrow(
      'Another one',
    );
  });
});
