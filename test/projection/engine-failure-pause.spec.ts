import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FailurePause, ItemRetries } from '../../projections/engine/pause.js';

describe('a pause after failures', () => {
  const away = new Error('away');
  let pause: FailurePause;
  let failure: Error | null;
  let done: number[];
  let time: number;
  /** How long the work takes. */
  let duration: number;

  beforeEach(() => {
    pause = new FailurePause(
      { first: 10, max: 20 },
      (error) => error === away,
      () => time,
    );
    failure = away;
    done = [];
    duration = 0;
  });

  /** Does the work at a time, and returns the error of it. */
  async function workAt(now: number): Promise<unknown> {
    time = now;
    const work = async (): Promise<void> => {
      done.push(now);
      time += duration;
      if (failure !== null) throw failure;
    };
    return pause.run(work).catch((error: unknown) => error);
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

  it('counts from the failure, however long the work took until then', async () => {
    duration = 25;
    for (const now of [0, 34, 35]) await workAt(now);
    expect(done).toEqual([0, 35]);
  });

  it('begins anew once an error about something else shows that what the work depends on is back', async () => {
    await workAt(0);
    await workAt(10);
    failure = new Error('one item');
    await workAt(30);
    failure = away;
    for (const now of [31, 40, 41]) await workAt(now);
    expect(done).toEqual([0, 10, 30, 31, 41]);
  });

  it('follows work that it does not wait for, and counts failures at once as one', () => {
    time = 0;
    for (let failed = 0; failed < 3; failed += 1) pause.noteFailure(away);
    time = 9;
    expect(pause.isOver).toBe(false);
    time = 10;
    expect(pause.isOver).toBe(true);
    pause.noteFailure(away);
    time = 29;
    expect(pause.isOver).toBe(false);
    time = 30;
    pause.noteSuccess();
    pause.noteFailure(away);
    time = 40;
    expect(pause.isOver).toBe(true);
  });

  it('does not become longer when the time of day is set back', async () => {
    const setBack = jest.spyOn(Date, 'now').mockReturnValue(0);
    const ticks = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    pause = new FailurePause({ first: 10, max: 20 }, (error) => error === away);
    await workAt(0);
    ticks.mockReturnValue(1_010);
    await workAt(1);
    expect(done).toEqual([0, 1]);
    setBack.mockRestore();
    ticks.mockRestore();
  });
});

describe('items that failed', () => {
  let time = 0;
  const retries = new ItemRetries(() => time);

  /** At which seconds an item that always fails is tried. */
  function triedUntil(end: number): number[] {
    const tried: number[] = [];
    for (time = 0; time <= end * 1_000; time += 250) {
      if (retries.isWaiting('bad')) continue;
      tried.push(time / 1_000);
      retries.noteFailure('bad');
    }
    return tried;
  }

  it('are tried less and less often, at least once a minute, beside others that are tried at once', () => {
    expect(triedUntil(190)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(retries.isWaiting('good')).toBe(false);
  });

  it('wait no longer after a success', () => {
    retries.noteSuccess('bad');
    expect(triedUntil(4)).toEqual([0, 1, 3]);
  });
});
