import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { AppendedEvents } from '../../src/kernel/decision.js';
import { box, type CoinsPaidIn, counted, GivenBoxes, metadata, payments } from './given-boxes.js';

let given: GivenBoxes;
beforeEach(() => {
  given = new GivenBoxes();
});
afterEach(() => given.close());

describe('a command that is sent again', () => {
  it('gets the answer of the first time and is not decided again', async () => {
    const commandId = randomUUID();
    const first = await given.pay({ commandId, decide: () => payments(1, 2) });
    await given.pay();
    const never = () => {
      throw new Error('decided again');
    };
    for (const by of [given.streams, new FoldedStreams(given.log)]) {
      const again = (await given.pay({ commandId, by, decide: never })) as AppendedEvents<CoinsPaidIn>;
      expect(again.revision).toBe(first!.revision);
      expect(again.position).toBe(first!.position);
      expect(again.events.map(({ id, revision, data }) => ({ id, revision, data }))).toEqual(
        first!.events.map(({ id, revision, data }) => ({ id, revision, data })),
      );
    }
    expect(await given.coinsIn()).toBe(4);
  });

  it('gets the answer of the first time however many others came after it', async () => {
    const commandId = randomUUID();
    const first = await given.pay({ commandId });
    for (let number = 0; number < 40; number += 1) await given.pay();
    const [again, other] = await Promise.all([
      given.pay({ commandId, decide: () => payments(7, 8) }),
      given.pay(),
    ]);
    expect(again).toEqual(first);
    expect(other!.revision).toBe(41);
    expect(await given.coinsIn()).toBe(42);
  });

  it('waits for its own readers though the first time another waited for nobody', async () => {
    const commandId = randomUUID();
    await given.pay({ commandId });
    const settled: number[] = [];
    const decisions = given.decisionsThatWait(async ({ revision }) => void settled.push(revision));
    await decisions.decideAs(metadata(commandId), { stream: 'box', fold: box }, () => payments(1));
    expect(settled).toEqual([0]);
  });

  it('finds what another process appended for it meanwhile', async () => {
    const commandId = randomUUID();
    const others = new FoldedStreams(given.log);
    given.log.beforeAppend = async () => {
      given.log.beforeAppend = async () => {};
      await given.pay({ by: others });
      await given.pay({ by: others, commandId });
    };
    const answer = await given.pay({ commandId });
    expect(answer!.revision).toBe(1);
    expect(await given.coinsIn()).toBe(2);
  });
});

describe('folded state', () => {
  it('is brought up to the tail by reading and folding only what is new', async () => {
    await given.pay({ decide: () => payments(1, 2, 3) });
    await given.pay({ by: new FoldedStreams(given.log) });
    counted.evolved = 0;
    const { state, revision } = await given.streams.load({ stream: 'box', fold: box });
    expect([state.coins, revision, counted.evolved]).toEqual([7, 3, 1]);
    await given.streams.load({ stream: 'box', fold: box });
    expect(counted.evolved).toBe(1);
  });

  it('of a long stream is read in pages', async () => {
    for (let page = 0; page < 3; page++) {
      await given.log.append(
        { stream: 'box', expected: page === 0 ? 'no-stream' : page * 700 - 1 },
        payments(...Array<number>(700).fill(1)),
        metadata(),
      );
    }
    given.log.reads = 0;
    const { state, revision } = await given.streams.load({ stream: 'box', fold: box });
    expect([state.coins, revision, given.log.reads]).toEqual([2100, 2099, 3]);
    expect(state.payments).toEqual([...Array(2100).keys()]);
  });

  it('is shared by folds that evolve alike, and by no others', async () => {
    await given.pay({ by: new FoldedStreams(given.log) });
    counted.evolved = 0;
    await given.streams.load({ stream: 'box', fold: { ...box } });
    await given.streams.load({ stream: 'box', fold: { ...box } });
    expect(counted.evolved).toBe(1);
    const count = { initial: 0, evolve: (state: number) => state + 1 };
    expect((await given.streams.load({ stream: 'box', fold: count })).state).toBe(1);
  });

  it('is forgotten when it is cleared, even while it is being loaded', async () => {
    await given.pay();
    await given.streams.load({ stream: 'box', fold: box });
    const loading = given.streams.load({ stream: 'box', fold: box });
    given.streams.clear();
    await loading;
    counted.evolved = 0;
    expect((await given.streams.load({ stream: 'box', fold: box })).state.coins).toBe(1);
    expect(counted.evolved).toBe(1);
  });

  it('keeps only as many streams as it may', async () => {
    const few = new FoldedStreams(given.log, { maxStates: 1 });
    await given.pay({ stream: 'a', by: few });
    await given.pay({ stream: 'b', by: few });
    await few.load({ stream: 'b', fold: box });
    counted.evolved = 0;
    await few.load({ stream: 'a', fold: box });
    expect(counted.evolved).toBe(1);
  });
});
