import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ModelBehindError, type Reactor } from '../../projections/engine/reactor.js';
import { BackgroundRunners } from '../../src/node/background-runners.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { append, event, openTestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

const hour = 3_600_000;

it('A reactor that waits for another one does not keep the process from stopping', async () => {
  const log = await openTestLog();
  const ending = new AbortController();
  const runners = new BackgroundRunners({
    stores: { log, readStore: new MemoryReadStore(true), eventStore: log.store },
    processName: 'one',
    logger: pino({ level: 'silent' }),
    isDeactivated: () => false,
    runsHere: true,
    signal: ending.signal,
  });
  const other: Reactor = { name: 'other', on: {} };
  const waits: Promise<boolean>[] = [];
  const waiting: Reactor = {
    name: 'waiting',
    on: {
      Paid: async ({ position }) => {
        const isAhead = runners.hasReacted(other, { position: position + 1_000, milliseconds: hour });
        waits.push(isAhead);
        if (!(await isAhead)) throw new ModelBehindError('The other one');
      },
    },
  };
  await runners.react([other, waiting], []);
  const position = await append(log, event('Paid', 1));
  await until(() => waits.length > 0);
  ending.abort();
  await runners.ended();
  expect(await Promise.all(waits)).toEqual([false]);
  expect(await runners.hasReacted(other, { position: position + 1_000, milliseconds: hour })).toBe(false);
  await log.dispose();
});
