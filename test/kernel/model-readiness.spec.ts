import { describe, expect, it } from '@jest/globals';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import type { ProjectionSettings } from '../../projections/engine/operator-settings.js';
import type { ProjectionState } from '../../projections/engine/progress.js';
import { modelFaults } from '../../src/operations/model-readiness.js';

function model(projection: string, state: ProjectionState | null, lagMilliseconds = 0): ModelStatus {
  const figures = { version: 1, position: 1, events: 0, eventsPerSecond: 0, servedPosition: 1 };
  return { projection, state, lagMilliseconds, unseenMilliseconds: 0, stoppage: null, ...figures };
}

const event = { id: 'a', type: 'MessageSent', stream: 'messages', position: 4 };

/** @param stopped names of projections whose build is halted at an event */
function faults(status: readonly ModelStatus[], without: readonly string[] = [], stopped: string[] = []) {
  const settings = {
    of: (projection: string): Promise<ProjectionSettings> =>
      Promise.resolve({
        isPaused: false,
        discarded: [],
        building: null,
        stoppedBuild: stopped.includes(projection) ? { event, reason: 'it is damaged' } : null,
      }),
  };
  return modelFaults({ status, settings, maxLag: 2_000, without: new Set(without) });
}

describe('A node is ready', () => {
  it.each(['live', 'paused', 'frozen', 'standby', null] as const)(
    'with a model that is %s',
    async (state) => {
      expect(await faults([model('messages', state)])).toEqual([]);
    },
  );

  it('with a paused model, however far that lags', async () => {
    expect(await faults([model('messages', 'paused', 90_000)])).toEqual([]);
  });

  it('without the models that its balancer does not count', async () => {
    const status = [model('messages', 'halted'), model('flags', 'live', 9_000), model('users', 'live')];
    expect(await faults(status, ['messages', 'flags'])).toEqual([]);
  });
});

describe('A node is not ready', () => {
  it('with a model that lags because of its store, and says what it waits for', async () => {
    const waiting = {
      ...model('messages', 'unavailable', 9_000),
      stoppage: { reason: 'new indexes', event: null },
    };
    expect(await faults([waiting])).toEqual(['messages is 9000 ms behind the log: new indexes']);
  });

  it('with a model that is halted, however many others serve', async () => {
    expect(await faults([model('users', 'live'), model('messages', 'halted')])).toEqual([
      'messages is halted at an event that it cannot apply',
    ]);
  });

  it('with a model whose next version cannot be built', async () => {
    expect(await faults([model('messages', 'frozen')], [], ['messages'])).toEqual([
      'the build of messages is halted at an event that it cannot apply',
    ]);
  });

  it.each(['live', 'catching-up', 'unavailable', 'standby', null] as const)(
    'with a model that is %s and lags',
    async (state) => {
      expect(await faults([model('messages', state, 2_001)])).toEqual(['messages is 2001 ms behind the log']);
    },
  );
});
