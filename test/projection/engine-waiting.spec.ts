import { describe, expect, it } from '@jest/globals';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import type { ProjectionProgress, ProjectionState } from '../../projections/engine/progress.js';
import type { Projection } from '../../projections/engine/projection.js';
import { eventually } from '../support/eventually.js';

function projection(name: string, ...types: string[]): Projection {
  const on = Object.fromEntries(types.map((type) => [type, { apply: () => [] }]));
  return { name, version: 1, collections: [], on };
}

const projections = [
  projection('messages', 'MessageSent', 'MessageEdited'),
  projection('topics', 'MessageSent'),
  projection('users', 'UserRegistered'),
];

function progress(
  name: string,
  position: number | null,
  state: ProjectionState = 'live',
): ProjectionProgress {
  return { projection: name, version: 1, position, state, stoppage: null };
}

/** Positions of models that are all advanced in this process. */
function localPositions(): ModelPositions {
  const positions = new ModelPositions(projections, () =>
    Promise.reject(new Error('Nobody is to look this up')),
  );
  for (const { name } of projections) positions.report(progress(name, 1));
  return positions;
}

const hour = 3_600_000;

describe('What nobody would see', () => {
  it.each([
    ['halted', true],
    ['paused', false],
    ['frozen', false],
    ['catching-up', false],
    ['live', false],
  ] as const)('is what is written for a model that is %s: %s', (state, expected) => {
    const positions = localPositions();
    positions.report(progress('topics', 3, state));
    expect(positions.areHalted(['UserRegistered', 'MessageSent'])).toBe(expected);
    expect(positions.areHalted(['MessageEdited'])).toBe(false);
  });

  it('is not what only work in the background would read', () => {
    const unread = projections.map((one) => ({ ...one, isForBackgroundWork: one.name === 'topics' }));
    const positions = new ModelPositions(unread, () => Promise.resolve(null));
    positions.report(progress('topics', 3, 'halted'));
    expect(positions.areHalted(['MessageSent'])).toBe(false);
  });
});

describe('Waiting for a write', () => {
  it('ends at once when every model that handles it has passed it', async () => {
    const positions = localPositions();
    positions.report(progress('messages', 7));
    expect(await positions.waitUntil({ position: 7, types: ['MessageEdited'], milliseconds: 0 })).toBe(true);
  });

  it('ends as soon as the last of the models that handle it passes it', async () => {
    const positions = localPositions();
    let ended = false;
    const waiting = positions
      .waitUntil({ position: 7, types: ['MessageSent'], milliseconds: hour })
      .finally(() => (ended = true));
    positions.report(progress('messages', 7));
    await Promise.resolve();
    expect(ended).toBe(false);
    positions.report(progress('topics', 9));
    expect(await waiting).toBe(true);
  });

  it('never waits for models that do not handle it', async () => {
    const positions = localPositions();
    expect(
      await positions.waitUntil({ position: 99, types: ['NobodyHandlesThis'], milliseconds: hour }),
    ).toBe(true);
    positions.report(progress('users', 99));
    expect(await positions.waitUntil({ position: 99, types: ['UserRegistered'], milliseconds: hour })).toBe(
      true,
    );
  });

  it('waits for the models of each of its types', async () => {
    const positions = localPositions();
    positions.report(progress('messages', 9));
    positions.report(progress('topics', 9));
    const types = ['MessageSent', 'UserRegistered'];
    expect(await positions.waitUntil({ position: 9, types, milliseconds: 1 })).toBe(false);
  });

  it('is not ended by a position before its own', async () => {
    const positions = localPositions();
    positions.report(progress('users', 8));
    expect(await positions.waitUntil({ position: 9, types: ['UserRegistered'], milliseconds: 1 })).toBe(
      false,
    );
  });

  it('ends without success after its time', async () => {
    const positions = localPositions();
    expect(await positions.waitUntil({ position: 9, types: ['MessageSent'], milliseconds: 5 })).toBe(false);
  });

  it.each(['halted', 'frozen'] as const)('does not wait for a model that is %s', async (state) => {
    const positions = localPositions();
    const waiting = positions.waitUntil({ position: 9, types: ['UserRegistered'], milliseconds: hour });
    positions.report(progress('users', 1, state));
    expect(await waiting).toBe(false);
    expect(await positions.waitUntil({ position: 9, types: ['UserRegistered'], milliseconds: hour })).toBe(
      false,
    );
  });

  it('still waits for the others when one model is halted', async () => {
    const positions = localPositions();
    positions.report(progress('topics', 1, 'halted'));
    let ended = false;
    const waiting = positions
      .waitUntil({ position: 9, types: ['MessageSent'], milliseconds: hour })
      .finally(() => (ended = true));
    await Promise.resolve();
    expect(ended).toBe(false);
    positions.report(progress('messages', 9));
    expect(await waiting).toBe(false);
  });

  it('starts again when another version of a model serves, which may be behind', async () => {
    const positions = localPositions();
    positions.report(progress('users', 50));
    positions.report({ ...progress('users', 40), version: 2 });
    expect(await positions.waitUntil({ position: 45, types: ['UserRegistered'], milliseconds: 1 })).toBe(
      false,
    );
    positions.report({ ...progress('users', 45), version: 2 });
    expect(await positions.waitUntil({ position: 45, types: ['UserRegistered'], milliseconds: hour })).toBe(
      true,
    );
  });
});

describe('Models that another process advances', () => {
  it('are looked up while somebody waits, until the write is there', async () => {
    let stored = 1;
    const positions = new ModelPositions(projections, () => Promise.resolve((stored += 2)));
    expect(await positions.waitUntil({ position: 6, types: ['MessageSent'], milliseconds: hour })).toBe(true);
    expect(stored).toBeGreaterThanOrEqual(7);
  });

  it('are not looked up when nobody waits', async () => {
    let lookups = 0;
    const positions = new ModelPositions(projections, () => Promise.resolve((lookups += 1)));
    const long = { position: 9, types: ['UserRegistered'], milliseconds: 80 };
    expect(await positions.waitUntil({ ...long, milliseconds: 40 })).toBe(false);
    const made = lookups;
    // A wait on models that are advanced here: time goes by.
    expect(await localPositions().waitUntil(long)).toBe(false);
    expect(lookups - made).toBeLessThanOrEqual(1);
  });

  it('are looked up when a write was waited for in vain, since a node that lags takes no other', async () => {
    let stored = 1;
    const positions = new ModelPositions(projections, () => Promise.resolve(stored));
    expect(await positions.waitUntil({ position: 6, types: ['UserRegistered'], milliseconds: 5 })).toBe(
      false,
    );
    expect(positions.lagMilliseconds()).toBeGreaterThan(0);
    stored = 6;
    await eventually(
      () => Promise.resolve(positions.lagMilliseconds()),
      (lag) => lag === 0,
    );
  });

  it('are waited for although they cannot be looked up at the moment', async () => {
    let attempts = 0;
    const positions = new ModelPositions(projections, () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('No server')) : Promise.resolve(9);
    });
    expect(await positions.waitUntil({ position: 6, types: ['UserRegistered'], milliseconds: hour })).toBe(
      true,
    );
  });

  it('include those whose runner in this process is on standby', async () => {
    const positions = new ModelPositions(projections, () => Promise.resolve(9));
    positions.report(progress('users', null, 'standby'));
    expect(await positions.waitUntil({ position: 6, types: ['UserRegistered'], milliseconds: hour })).toBe(
      true,
    );
  });
});

describe('The lag of a node', () => {
  it('is 0 while every model is live and has applied all writes', () => {
    expect(localPositions().lagMilliseconds()).toBe(0);
  });

  it('grows while a write has not been passed, beyond the end of the wait, and ends with it', async () => {
    const positions = localPositions();
    await positions.waitUntil({ position: 9, types: ['UserRegistered'], milliseconds: 5 });
    expect(positions.lagMilliseconds()).toBeGreaterThanOrEqual(4);
    positions.report(progress('users', 9));
    expect(positions.lagMilliseconds()).toBe(0);
  });

  it('is the age of what the log held at the start and a model has yet to pass', async () => {
    let stored = 1;
    const positions = new ModelPositions(projections, () => Promise.resolve(stored));
    positions.expect('users', { position: 5, age: hour });
    expect(positions.lagMilliseconds()).toBeGreaterThanOrEqual(hour);
    stored = 5;
    await eventually(
      () => Promise.resolve(positions.lagMilliseconds()),
      (lag) => lag === 0,
    );
    positions.expect('users', { position: 4, age: hour });
    expect(positions.lagMilliseconds()).toBe(0);
  });

  it('counts a model that catches up, and tells a halted one apart', () => {
    const positions = localPositions();
    positions.report(progress('users', 1, 'catching-up'));
    expect(positions.lagMilliseconds()).toBeGreaterThan(0);
    const reason = { reason: 'UserRegistered at position 2: No!', event: null };
    positions.report({ ...progress('users', 1, 'halted'), stoppage: reason });
    expect(positions.lagMilliseconds()).toBe(0);
    expect(positions.status().find((status) => status.projection === 'users')).toMatchObject({
      state: 'halted',
      stoppage: reason,
    });
  });
});
