import { beforeEach, describe, expect, it } from '@jest/globals';
import { FailurePause } from '../../projections/engine/pause.js';

describe('a pause after failures', () => {
  const away = new Error('away');
  let pause: FailurePause;
  let failure: Error | null;
  let done: number[];

  beforeEach(() => {
    pause = new FailurePause({ first: 10, max: 20 }, (error) => error === away);
    failure = away;
    done = [];
  });

  /** Does the work at a time, and returns the error of it. */
  async function workAt(now: number): Promise<unknown> {
    const work = async (): Promise<void> => {
      done.push(now);
      if (failure !== null) throw failure;
    };
    return pause.run(now, work).catch((error: unknown) => error);
  }

  it('grows with each failure, and ends with a success', async () => {
    for (let now = 0; now < 60; now += 1) await workAt(now);
    expect(done).toEqual([0, 10, 30, 50]);
    failure = null;
    await workAt(70);
    failure = away;
    expect(await workAt(71)).toBe(away);
    await workAt(80);
    await workAt(81);
    expect(done.slice(4)).toEqual([70, 71, 81]);
  });

  it('does not follow an error about something else', async () => {
    failure = new Error('one item');
    expect([await workAt(0), await workAt(1)]).toEqual([failure, failure]);
    expect(done).toEqual([0, 1]);
  });
});
