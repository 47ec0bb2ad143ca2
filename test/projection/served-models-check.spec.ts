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
/** How the store answers the question for a checkpoint. */
let answer: () => Promise<number | null | undefined>;
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
  answer = () => Promise.resolve(served);
  check = new ServedModelsCheck({
    projections: [accountsProjection],
    eventStore: { head: () => Promise.resolve(head), readAll },
    checkpointOf: () => answer(),
    report: (position) => reports.push(position),
    now: () => time,
  });
});

async function look(after = 1_000): Promise<ServedPosition | undefined> {
  time += after;
  await check.check();
  return reports.at(-1);
}

describe('The check of what requests read', () => {
  it('reports no fault of a model that follows the log, however fast that grows', async () => {
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
    head = 501;
    await look();
    await look();
    expect(reads.map(({ after }) => after)).toEqual([3, 500]);
  });

  it('does not read the log if the model has passed its end', async () => {
    [payments, head, served] = [[500], 500, 500];
    expect(await look()).toEqual({ projection: 'accounts', position: 500, unseenMilliseconds: 0 });
    served = 501;
    await look();
    expect(reads).toEqual([]);
  });

  it('reads to the end of the log once, where the last page ends before it', async () => {
    [head, served] = [500, 3];
    const pages = async function* (options: ReadAllOptions): AsyncIterable<EventPage> {
      reads.push(options);
      yield Promise.resolve({ events: [], position: 400, live: true });
    };
    const eventStore = { head: () => Promise.resolve(head), readAll: pages };
    const other = new ServedModelsCheck({
      projections: [accountsProjection],
      eventStore,
      checkpointOf: () => answer(),
      report: () => undefined,
    });
    await other.check();
    await other.check();
    expect(reads.map(({ after }) => after)).toEqual([3]);
  });

  it('says nothing while the log cannot be read', async () => {
    const lost = new ServedModelsCheck({
      projections: [accountsProjection],
      eventStore: { head: () => Promise.reject(new Error('There is no log')), readAll },
      checkpointOf: () => answer(),
      report: (position) => reports.push(position),
    });
    await lost.check();
    expect([reads, reports]).toEqual([[], []]);
  });

  it('reports nothing for a model that does not serve yet', async () => {
    served = undefined;
    expect(await look()).toBeUndefined();
  });
});

describe('A store of models that does not answer', () => {
  it('is a fault after three seconds, until it answers', async () => {
    let late = (): void => undefined;
    answer = () => new Promise((resolve) => (late = (): void => resolve(null)));
    const looking = look();
    time += 3_000;
    expect(check.fault()).toBeNull();
    time += 1;
    expect(check.fault()).toBe('nothing could be read for 3001 ms: no answer');
    late();
    await looking;
    expect(check.fault()).toBeNull();
  });

  it('is a fault with the reason of the last refusal', async () => {
    answer = () => Promise.reject(new Error('There is no server'));
    await look();
    expect(check.fault()).toBeNull();
    await look(4_000);
    expect(check.fault()).toBe('nothing could be read for 4000 ms: There is no server');
    answer = () => Promise.resolve(null);
    await look();
    expect(check.fault()).toBeNull();
  });

  it('is not reported as long as it answers for some model', async () => {
    const asked: string[] = [];
    const partly = new ServedModelsCheck({
      projections: [accountsProjection, { ...accountsProjection, name: 'others' }],
      eventStore: { head: () => Promise.resolve(head), readAll },
      checkpointOf: async (name) => {
        asked.push(name);
        if (name === 'others') throw new Error('It is damaged');
        return null;
      },
      report: () => undefined,
      now: () => time,
    });
    await partly.check();
    time += 10_000;
    await partly.check();
    expect(asked).toEqual(['accounts', 'others', 'accounts', 'others']);
    expect(partly.fault()).toBeNull();
  });
});

describe('A model whose writer writes where nobody reads', () => {
  it('makes its node lag, though it is reported as live', async () => {
    const nobodyAsks = () => Promise.resolve(null);
    const positions = new ModelPositions([accountsProjection], nobodyAsks, () => time);
    positions.report({ projection: 'accounts', version: 1, position: 9, state: 'live', stoppage: null });
    expect(positions.lagMilliseconds()).toBe(0);
    time += 5_000;
    positions.reportServed('accounts', { position: 3, unseenMilliseconds: 5_000 });
    expect(positions.lagMilliseconds()).toBe(5_000);
    expect(positions.status()[0]).toMatchObject({ state: 'live', servedPosition: 3, lagMilliseconds: 5_000 });
  });
});
