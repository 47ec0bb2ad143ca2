import { beforeEach, describe, expect, it } from '@jest/globals';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { ServedModelsCheck, type ServedPosition } from '../../src/operations/served-models-check.js';
import type { EventPage, ReadAllOptions } from '../../src/stores/event-store/port.js';
import { accountsProjection } from './support/accounts.projection.js';

/** Positions of payments; the log's head may be further. */
let payments: number[];
let head: number;
/** What requests read; undefined: nothing serves. */
let served: number | null | undefined;
let time: number;
let reads: ReadAllOptions[];
let reports: ServedPosition[];
let check: ServedModelsCheck;

async function* readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
  reads.push(options);
  const found = payments.find((position) => position > (options.after ?? -1));
  const events = found === undefined ? [] : [{ position: found } as EventPage['events'][number]];
  yield Promise.resolve({ events, position: found ?? head, live: found === undefined });
}

beforeEach(() => {
  [payments, head, served, time, reads, reports] = [[], 0, null, 0, [], []];
  check = new ServedModelsCheck({
    projections: [accountsProjection],
    eventStore: { readAll },
    checkpointOf: () => Promise.resolve(served),
    report: (position) => reports.push(position),
    now: () => time,
  });
});

async function look(after = 1_000): Promise<ServedPosition | undefined> {
  time += after;
  await check.look();
  return reports.at(-1);
}

describe('The check of what requests read', () => {
  it('finds nothing amiss with a model that follows the log, however fast that grows', async () => {
    for (head = 1; head < 20; head += 1) {
      payments.push(head);
      served = head - 1;
      expect(await look()).toEqual({ projection: 'accounts', position: served, unseenMilliseconds: 0 });
    }
  });

  it('tells for how long an event has been in the log that requests do not find', async () => {
    [payments, head, served] = [[5], 5, 3];
    expect(await look()).toMatchObject({ unseenMilliseconds: 0 });
    expect(await look()).toMatchObject({ unseenMilliseconds: 1_000 });
    payments.push(6);
    expect(await look(4_000)).toMatchObject({ position: 3, unseenMilliseconds: 5_000 });
    served = 6;
    expect(await look()).toMatchObject({ position: 6, unseenMilliseconds: 0 });
  });

  it('notices a checkpoint that has gone back, as that of another file does', async () => {
    [payments, head, served] = [[5], 5, 5];
    await look();
    served = null;
    await look();
    expect(await look()).toMatchObject({ position: null, unseenMilliseconds: 1_000 });
  });

  it('reads no part of the log twice that held nothing for the model', async () => {
    [head, served] = [500, 3];
    await look();
    await look();
    expect(reads.map(({ after }) => after)).toEqual([3, 500]);
  });

  it('says nothing of a model that does not serve yet', async () => {
    served = undefined;
    expect(await look()).toBeUndefined();
  });
});

describe('A model whose writer writes where nobody reads', () => {
  it('makes its node lag, though it is reported as live', async () => {
    const positions = new ModelPositions([accountsProjection], () => Promise.resolve(null));
    positions.report({ projection: 'accounts', version: 1, position: 9, state: 'live', stoppage: null });
    expect(positions.lagMilliseconds()).toBe(0);
    positions.reportServed('accounts', { position: 3, unseenMilliseconds: 5_000 });
    expect(positions.lagMilliseconds()).toBe(5_000);
    expect(positions.status()[0]).toMatchObject({ state: 'live', servedPosition: 3, lagMilliseconds: 5_000 });
  });
});
