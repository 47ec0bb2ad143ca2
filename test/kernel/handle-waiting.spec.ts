import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { handle } from '../../src/kernel/handle.js';
import { type Box, box, type CoinsPaidIn, GivenBoxes, metadata, payments } from './given-boxes.js';

let given: GivenBoxes;
beforeEach(() => {
  given = new GivenBoxes();
});
afterEach(() => given.close());

describe('decisions that wait for the same turn', () => {
  /** Starts decisions that wait for the stream's lock, then releases it. */
  async function together<Result>(
    decisions: () => Promise<Result>[],
  ): Promise<PromiseSettledResult<Result>[]> {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = given.streams.withLock('box', () => released);
    const waiting = Promise.allSettled(decisions());
    release();
    await held;
    return waiting;
  }

  it('are each made on what those before them append, and appended at once', async () => {
    const seen: unknown[] = [];
    const decide = (state: Box, revision: number | null) => {
      seen.push([state.coins, state.payments, revision]);
      return payments(2, 3);
    };
    const answers = await together(() => [
      given.pay({ decide }),
      given.pay({ decide }),
      given.pay({ decide }),
    ]);
    expect(seen).toEqual([
      [0, [], null],
      [5, [0, 1], 1],
      [10, [0, 1, 2, 3], 3],
    ]);
    expect(answers).toMatchObject([
      { value: { revision: 1, events: [{ revision: 0 }, { revision: 1 }] } },
      { value: { revision: 3 } },
      { value: { revision: 5, events: [{ revision: 4 }, { revision: 5, data: { coins: 3 } }] } },
    ]);
    expect(given.log.appends).toBe(1);
    const stored = await given.log.readStream('box', { limit: 10 });
    expect(stored.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(stored.map(({ metadata: { commandId } }) => commandId)).size).toBe(3);
    expect(await given.coinsIn()).toBe(15);
  });

  it('need no look into the log where this process appended last', async () => {
    await given.pay();
    given.log.reads = 0;
    await together(() => [given.pay(), given.pay()]);
    expect([given.log.reads, given.log.appends]).toEqual([0, 2]);
  });

  it('are refused, or change nothing, each for itself', async () => {
    const refusal = new Error('The box is full');
    const full = (state: Box) => {
      if (state.coins >= 2) throw refusal;
      return payments(1);
    };
    const answers = await together(() => [
      given.pay({ decide: full }),
      given.pay({ decide: () => [] }),
      given.pay({ decide: full }),
      given.pay({ decide: full }),
      given.pay({ decide: ({ coins }) => payments(coins) }),
    ]);
    expect(answers).toMatchObject([
      { value: { revision: 0 } },
      { value: null },
      { value: { revision: 1 } },
      { reason: refusal },
      { value: { revision: 2, events: [{ data: { coins: 2 } }] } },
    ]);
    expect(await given.coinsIn()).toBe(4);
  });

  it('are made again when what was decided before them cannot be written', async () => {
    const invalid = () => [{ type: 'CoinsPaidIn', data: { coins: 0.5 } }] as const;
    const decide = ({ coins }: Box) => payments(coins + 1);
    const answers = await together(() => [
      given.pay({ decide }),
      given.pay({ decide: invalid }),
      given.pay({ decide }),
      given.pay({ decide }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await given.coinsIn()).toBe(1 + 2 + 4);
  });

  it('are made again together when another process was faster', async () => {
    await given.pay();
    await given.pay({ by: new FoldedStreams(given.log), decide: () => payments(7) });
    const seen: number[] = [];
    const decide = ({ coins }: Box) => {
      seen.push(coins);
      return payments(1);
    };
    const answers = await together(() => [given.pay({ decide }), given.pay({ decide })]);
    expect(seen).toEqual([1, 2, 8, 9]);
    expect(answers).toMatchObject([{ value: { revision: 2 } }, { value: { revision: 3 } }]);
  });

  it('are answered by what the log holds, not by what this process last knew', async () => {
    await given.pay();
    await given.pay({ by: new FoldedStreams(given.log), decide: () => payments(7) });
    const rich = ({ coins }: Box) => {
      if (coins < 8) throw new Error('Too few coins');
      return [];
    };
    const answers = await together(() => [given.pay({ decide: rich }), given.pay({ decide: rich })]);
    expect(answers).toMatchObject([{ value: null }, { value: null }]);
  });

  it('append the same command once', async () => {
    const commandId = randomUUID();
    const answers = await together(() => [given.pay({ commandId }), given.pay({ commandId }), given.pay()]);
    expect(answers).toMatchObject([
      { value: { revision: 0 } },
      { value: { revision: 0 } },
      { value: { revision: 1 } },
    ]);
    expect(await given.coinsIn()).toBe(2);
  });

  it('go in as many appends as their bytes take', async () => {
    const large = () => [{ type: 'CoinsPaidIn', data: { coins: 1, note: 'x'.repeat(400_000) } }] as const;
    const answers = await together(() => [
      given.pay({ decide: large }),
      given.pay({ decide: large }),
      given.pay({ decide: large }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(given.log.appends).toBe(2);
    expect(await given.coinsIn()).toBe(3);
  });

  it('do each what belongs to their append, and fail alone where that fails', async () => {
    const done: number[] = [];
    const payThen = (then: (revision: number) => void) =>
      handle<Box, RecordedEvent<CoinsPaidIn>, CoinsPaidIn>(given.streams, {
        stream: 'box',
        fold: box,
        decide: () => payments(1),
        metadata: metadata(),
        afterAppend: async ([event]) => then(event!.revision),
      });
    const note = (revision: number) => void done.push(revision);
    const fail = () => {
      throw new Error('Not to be done');
    };
    const answers = await together(() => [payThen(note), payThen(fail), payThen(note)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual([0, 2]);
    expect(await given.coinsIn()).toBe(3);
  });

  it('fail together when the log cannot be reached', async () => {
    given.log.beforeAppend = () => Promise.reject(new Error('No connection'));
    const answers = await together(() => [given.pay(), given.pay()]);
    expect(answers).toMatchObject([
      { reason: { message: 'No connection' } },
      { reason: { message: 'No connection' } },
    ]);
    given.log.beforeAppend = async () => {};
    expect((await given.pay())!.revision).toBe(0);
  });
});
