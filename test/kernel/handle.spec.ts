import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { eventually } from '../support/eventually.js';
import { type Box, box, type CoinsPaidIn, GivenBoxes, metadata, payments } from './given-boxes.js';

let given: GivenBoxes;
beforeEach(() => {
  given = new GivenBoxes();
});
afterEach(() => given.close());

describe('what this process appended itself', () => {
  it('is known without being read again', async () => {
    for (let payment = 0; payment < 5; payment += 1) await given.pay();
    expect((await given.streams.load({ stream: 'box', fold: box })).state).toEqual({
      coins: 5,
      payments: [0, 1, 2, 3, 4],
    });
    expect(given.log.found).toBe(0);
  });

  it('is read where another process appended in between', async () => {
    await given.pay();
    await given.pay({ by: new FoldedStreams(given.log) });
    await given.pay();
    expect(await given.coinsIn('box')).toBe(3);
    expect((await given.streams.load({ stream: 'box', fold: box })).state.payments).toEqual([0, 1, 2]);
  });

  it('is not kept where the stream was to be forgotten meanwhile', async () => {
    await given.pay();
    given.log.beforeAppend = async () => given.streams.forget(['box']);
    await given.pay();
    const before = given.log.found;
    expect((await given.streams.load({ stream: 'box', fold: box })).state.coins).toBe(2);
    expect(given.log.found - before).toBe(2);
  });
});

describe('handling a command', () => {
  it('decides on what the stream holds and appends what was decided', async () => {
    const seen: unknown[] = [];
    const decide = (state: Box, revision: number | null) => {
      seen.push([state.coins, revision]);
      return payments(2, 3);
    };
    const first = await given.pay({ decide });
    const second = await given.pay({ decide });
    expect(seen).toEqual([
      [0, null],
      [5, 1],
    ]);
    expect(first).toMatchObject({
      revision: 1,
      events: [{ revision: 0 }, { revision: 1, data: { coins: 3 } }],
    });
    expect(second!.revision).toBe(3);
    expect(second!.position).toBeGreaterThan(first!.position);
    expect(await given.coinsIn()).toBe(10);
  });

  it('does what belongs to an append before anybody waits for its readers, and once', async () => {
    const order: string[] = [];
    const decisions = given.decisionsThatWait(async ({ revision }) => void order.push(`settled ${revision}`));
    const folded = {
      stream: 'box',
      fold: box,
      afterAppend: async ([event]: readonly RecordedEvent<CoinsPaidIn>[]) =>
        void order.push(`appended ${event!.revision}`),
    };
    await decisions.decideAs(metadata('the same'), folded, () => payments(1));
    await decisions.decideAs(metadata('the same'), folded, () => payments(1));
    expect(order).toEqual(['appended 0', 'settled 0', 'settled 0']);
  });

  it('appends nothing when nothing is to change', async () => {
    expect(await given.pay({ decide: () => [] })).toBeNull();
    expect(await given.log.store.readStream('box', { limit: 1 })).toEqual([]);
  });

  it('passes a refusal on, appends nothing, and leaves the stream to the next', async () => {
    const refusal = new Error('The box is full');
    const refused = given.pay({
      decide: () => {
        throw refusal;
      },
    });
    const next = given.pay();
    await expect(refused).rejects.toBe(refusal);
    expect((await next)!.revision).toBe(0);
  });

  it('lets any number of commands of one process follow each other on one stream', async () => {
    let decisions = 0;
    const decide = (state: Box) => {
      decisions++;
      return state.coins < 20 ? payments(1) : [];
    };
    const answers = await Promise.all(Array.from({ length: 50 }, () => given.pay({ decide })));
    expect(answers.filter((answer) => answer !== null).map((answer) => answer.revision)).toEqual([
      ...Array(20).keys(),
    ]);
    expect(decisions).toBe(50);
  });

  it('waits for what its caller reads next without keeping the stream from the next command', async () => {
    const settled: number[] = [];
    const releases: (() => void)[] = [];
    const decisions = given.decisionsThatWait(({ revision }) => {
      settled.push(revision);
      return new Promise<void>((resolve) => releases.push(resolve));
    });
    const decide = () => decisions.decideAs(metadata(), { stream: 'box', fold: box }, () => payments(1));
    const waiting = [decide(), decide()];
    await eventually(
      async () => releases.length,
      (count) => count === 2,
    );
    expect(settled).toEqual([0, 1]);
    releases.forEach((release) => release());
    expect((await Promise.all(waiting)).map(({ events }) => events[0]?.revision)).toEqual([0, 1]);
  });

  it('waits for what was appended under a lock after the lock is free', async () => {
    const order: string[] = [];
    const decisions = given.decisionsThatWait(async ({ revision }) => {
      await given.streams.withLock('box', async () => void order.push(`lock is free ${revision}`));
    });
    const append = decisions.withLock('box', async (append) => {
      const appended = await append(null, payments(1), metadata());
      order.push('appended');
      return appended?.revision;
    });
    await expect(append).resolves.toBe(0);
    expect(order).toEqual(['appended', 'lock is free 0']);
  });

  it('waits for nothing where nothing was appended under a lock', async () => {
    const decisions = given.decisionsThatWait(() => Promise.reject(new Error('Nothing to wait for')));
    await given.pay();
    const append = decisions.withLock('box', (append) => append(null, payments(1), metadata()));
    await expect(append).resolves.toBeNull();
  });

  it('waits for nothing where nothing was appended', async () => {
    const decisions = given.decisionsThatWait(() => Promise.reject(new Error('Nothing to wait for')));
    const nothing = decisions.decideAs(metadata(), { stream: 'box', fold: box }, () => []);
    await expect(nothing).resolves.toMatchObject({ events: [] });
  });

  it('does not let streams wait for each other', async () => {
    let release = (): void => {};
    const held = given.streams.withLock('box', () => new Promise<void>((resolve) => (release = resolve)));
    expect((await given.pay({ stream: 'other-box' }))!.revision).toBe(0);
    release();
    await held;
  });

  it('decides again on what another process was faster to append', async () => {
    const others = new FoldedStreams(given.log);
    given.log.beforeAppend = async () => {
      given.log.beforeAppend = async () => {};
      await given.pay({ by: others, decide: () => payments(7) });
    };
    const seen: number[] = [];
    const answer = await given.pay({
      decide: (state) => {
        seen.push(state.coins);
        return payments(1);
      },
    });
    expect(seen).toEqual([0, 7]);
    expect(answer!.revision).toBe(1);
  });

  it('gives up as unavailable when others are faster every time', async () => {
    const others = new FoldedStreams(given.log);
    let busy = false;
    given.log.beforeAppend = async () => {
      if (busy) return;
      busy = true;
      await given.pay({ by: others });
      busy = false;
    };
    let decisions = 0;
    const decide = () => {
      decisions++;
      return payments(100);
    };
    const error: unknown = await given.pay({ decide, attempts: 3 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApplicationError);
    expect(error).toMatchObject({ row: 'unavailable', status: 503 });
    expect(decisions).toBe(3);
    expect(await given.coinsIn()).toBe(3);
  });
});
