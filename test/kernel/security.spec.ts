import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FailedLogIns } from '../../src/contexts/users/security/failed-log-ins.js';
import {
  decideLogInFailures,
  type FailedLogIn,
} from '../../src/contexts/users/security/log-in-failures.decide.js';
import {
  FAILURES_WINDOW,
  logInFailuresFold,
  securityOf,
  type LogInFailures,
} from '../../src/contexts/users/security/log-in-failures.state.js';
import type { SecurityRecords } from '../../src/contexts/users/security/security-records.js';
import { AfterReply } from '../../src/http/after-reply.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { SystemClock } from '../../src/runtime/system-clock.js';
import { TestLog } from '../support/given.js';
import { standIn } from '../support/stand-in.js';
import { eventually } from '../support/eventually.js';

const max = budgets.recordedLogInFailures.max;
const origin = { address: '192.0.2.7', client: 'test' };
const failure: FailedLogIn = { reason: 'wrong-password', ...origin };
const many = (count: number): FailedLogIn[] => Array.from({ length: count }, () => failure);

describe('failed log-ins', () => {
  const fold = logInFailuresFold;
  const { stream } = securityOf(3);
  const after = (times: readonly number[]): LogInFailures => {
    const log = new TestLog();
    for (const at of times)
      log.append(stream, [{ type: 'LogInFailed', data: { userId: 3, ...failure } } as const], { at });
    return log.fold(fold, stream);
  };

  it('are recorded one by one, with where they came from, until an hour holds as many as it may', () => {
    const [first, ...others] = decideLogInFailures(fold.initial, { userId: 3, failures: many(max + 1) }, 0);
    expect(first).toEqual({ type: 'LogInFailed', data: { userId: 3, reason: 'wrong-password', ...origin } });
    expect(others).toHaveLength(max - 1);
    const times = Array.from({ length: max - 1 }, (_one, index) => 1000 + index);
    const asked = { userId: 3, failures: many(5) };
    expect(decideLogInFailures(after(times), asked, 2000)).toHaveLength(1);
    expect(decideLogInFailures(after([...times, 2000]), asked, 1000 + FAILURES_WINDOW - 1)).toEqual([]);
    expect(decideLogInFailures(after([...times, 2000]), asked, 1000 + FAILURES_WINDOW)).toHaveLength(5);
  });

  it('begin another hour with the first one after it', () => {
    expect(after([0, 1, FAILURES_WINDOW])).toEqual({ since: FAILURES_WINDOW, recorded: 1 });
  });
});

describe('FailedLogIns', () => {
  const told: unknown[] = [];
  const times: number[] = [];
  let room: number = max;
  let now = 0;
  let appending = Promise.resolve();
  const records = standIn<SecurityRecords>({
    failures: async (_userId: number, failures: readonly FailedLogIn[], at: number) => {
      times.push(at);
      await appending;
      const taken = Math.min(room, failures.length);
      room -= taken;
      told.push(taken);
      return taken;
    },
    furtherFailures: ({ userId, count }: { readonly userId: number; readonly count: number }) => {
      told.push({ userId, count });
      return Promise.resolve();
    },
  });
  const ada = { id: 3 };
  const start = (): FailedLogIns => {
    told.length = 0;
    room = max;
    appending = Promise.resolve();
    return new FailedLogIns(
      records,
      new AfterReply({ error: fail }),
      standIn<SystemClock>({ now: () => now }),
    );
  };
  function fail(error: unknown): never {
    throw error;
  }

  afterEach(() => {
    jest.useRealTimers();
  });

  it('that are being recorded when the process stops are waited for', async () => {
    let append = (): void => {};
    const failed = start();
    appending = new Promise((resolve) => (append = resolve));
    times.length = 0;
    failed.note(ada, failure);
    await eventually(
      () => Promise.resolve(times),
      (all) => all.length > 0,
    );
    const stopped = failed.onApplicationShutdown().then(() => told.push('stopped'));
    await turn();
    expect(told).toEqual([]);
    append();
    await stopped;
    expect(told).toEqual([1, 'stopped']);
  });

  it('record nothing before the reply, and nothing at all of addresses that are nobody’s or of who was erased', async () => {
    const failed = start();
    failed.note(null, failure);
    failed.note({ id: 4, isErased: true }, failure);
    now = 1000;
    failed.note(ada, failure);
    now = 2000;
    expect(told).toEqual([]);
    await eventually(
      () => Promise.resolve(told),
      (all) => all.length > 0,
    );
    expect(told).toEqual([1]);
    // The event has the time of the failure, not the time at which it was written.
    expect(times.at(-1)).toBe(1000);
  });

  it('count what comes beyond the few, however many, and tell of it in one event when somebody logs in', async () => {
    const failed = start();
    for (let each = 0; each < max + 100; each += 1) failed.note(ada, failure);
    await failed.recordAll(ada.id);
    expect(told).toEqual([max, { userId: 3, count: 100 }]);
    failed.note(ada, failure);
    failed.note(ada, failure);
    await failed.onApplicationShutdown();
    expect(told.slice(2)).toEqual([0, { userId: 3, count: 2 }]);
  });

  it('tell how many they counted when an hour is over', async () => {
    jest.useFakeTimers();
    const failed = start();
    room = 0;
    failed.note(ada, failure);
    await jest.advanceTimersByTimeAsync(1000);
    failed.note(ada, failure);
    expect(told).toEqual([0]);
    await jest.advanceTimersByTimeAsync(FAILURES_WINDOW + 1000);
    expect(told).toEqual([0, { userId: 3, count: 2 }]);
  });
});
