import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../projections/engine/job-runner.js';
import type { Job } from '../../projections/engine/background-work.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { ReadStoreUnavailableError } from '../../src/stores/read-store/port.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { until } from './support/waiting.js';

let readStore: MemoryReadStore;
let endings: (() => Promise<void>)[];

beforeEach(() => {
  readStore = new MemoryReadStore(true);
  endings = [];
});
afterEach(() => Promise.all(endings.map((end) => end())));

/** A job that counts how often it was performed, and what it does beside. */
function counting(act: () => void = () => {}): { readonly job: Job; count: number } {
  const counter = {
    count: 0,
    job: {
      name: 'count',
      everyMilliseconds: 1,
      perform: () => {
        counter.count += 1;
        act();
        return Promise.resolve();
      },
    },
  };
  return counter;
}

function start(job: Job, processName: string, logger = silentLogger): () => Promise<void> {
  const options = { processName, logger, isDeactivated: () => false, leaseMilliseconds: 60_000 };
  const runner = new JobRunner(readStore, job, options);
  const ending = new AbortController();
  const running = runner.run(ending.signal);
  const stop = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  endings.push(stop);
  return stop;
}

describe('A job', () => {
  it('is performed again and again until it is stopped', async () => {
    const counter = counting();
    const stop = start(counter.job, 'one');
    await until(() => counter.count > 3);
    await stop();
    const { count } = counter;
    await new Promise((resolve) => setImmediate(resolve));
    expect(counter.count).toBe(count);
  });

  it('is performed on after a failure', async () => {
    const counter = counting(() => {
      if (counter.count < 3) throw new Error('not now');
    });
    start(counter.job, 'one');
    await until(() => counter.count > 3);
  });

  it.each([
    ['warns', 'a store is unavailable', new ReadStoreUnavailableError('No answer')],
    ['logs an error', 'its code throws', new TypeError('Not a function')],
  ])('%s when %s', async (outcome, _, error) => {
    const levels = new Set<string>();
    const note = (level: string) => () => void levels.add(level);
    const counter = counting(() => {
      throw error;
    });
    start(counter.job, 'one', { ...silentLogger, warn: note('warns'), error: note('logs an error') });
    await until(() => counter.count > 1);
    expect([...levels]).toEqual([outcome]);
  });

  it('is performed by one process at a time, which gives it back when it ends', async () => {
    const [first, second] = [counting(), counting()];
    const stop = start(first.job, 'one');
    await until(() => first.count > 0);
    start(second.job, 'two');
    const seen = first.count;
    await until(() => first.count > seen + 3);
    expect(second.count).toBe(0);
    await stop();
    expect(await readStore.acquireLease('duty:count', 'three', 60_000)).not.toBeNull();
  });
});
