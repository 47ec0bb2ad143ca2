import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BuildInterruptedError } from '../../projections/engine/build-model.js';
import { engineTiming } from '../../projections/engine/timing.js';
import { PoisonEventError } from '../../projections/engine/poison-event.js';
import { UnsupportedQueryError } from '../../src/stores/read-store/port.js';
import { appendHistory } from './support/accounts-history.js';
import { accountsProjection } from './support/accounts.projection.js';
import { buildOptions, buildServing, rebuiltDigest, storedDigest } from './support/building.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';

class ProcessDied extends Error {}

/** Lets a number of single writes through, then none. */
function dieAfter(store: MemoryReadStore, writes: number): () => number {
  let made = 0;
  store.beforeWrite = () => {
    if (made >= writes) throw new ProcessDied();
    made += 1;
  };
  return () => made;
}

describe.each([
  { kind: 'without atomic batches', atomic: false },
  { kind: 'with atomic batches', atomic: true },
])('A model on a store $kind', ({ atomic }) => {
  let log: TestLog;
  let expected: string;

  beforeEach(async () => {
    log = await openTestLog();
    await appendHistory(log);
    expected = await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection);
  });
  afterEach(() => log.dispose());

  async function buildOn(readStore: MemoryReadStore, batchEvents: number): Promise<void> {
    const batch = { ...engineTiming.batch, events: batchEvents };
    await buildServing(log, readStore, { projection: accountsProjection, ...buildOptions({ batch }) });
  }

  it.each([1, 2, 3, 5, 100])('in batches of %i is the same as built event by event', async (batchEvents) => {
    const readStore = new MemoryReadStore(atomic);
    await buildOn(readStore, batchEvents);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(expected);
  });

  it.each([1, 3, 100])(
    'in batches of %i survives the death of the process before every single write',
    async (batchEvents) => {
      const counting = new MemoryReadStore(atomic);
      const made = dieAfter(counting, Number.MAX_SAFE_INTEGER);
      await buildOn(counting, batchEvents);
      expect(made()).toBeGreaterThan(3);
      for (let writes = 0; writes < made(); writes += 1) {
        const readStore = new MemoryReadStore(atomic);
        dieAfter(readStore, writes);
        await expect(buildOn(readStore, batchEvents)).rejects.toThrow();
        readStore.beforeWrite = () => {};
        // The successor need not cut its batches where the predecessor did.
        await buildOn(readStore, batchEvents + (writes % 3));
        expect({ writes, digest: await storedDigest(readStore, accountsProjection, 1) }).toEqual({
          writes,
          digest: expected,
        });
      }
    },
  );

  it('survives dying again and again at each next write', async () => {
    const readStore = new MemoryReadStore(atomic);
    let died = 0;
    for (let writes = 1; (await readStore.servingVersion('accounts')) === null; writes += 1) {
      dieAfter(readStore, writes);
      await buildOn(readStore, 3).catch(() => (died += 1));
    }
    expect(died).toBeGreaterThan(1);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(expected);
  });

  it('keeps no engine fields where its readers count documents', async () => {
    const readStore = new MemoryReadStore(atomic);
    await buildOn(readStore, 4);
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    expect(await model.collection('accounts').countDocuments({})).toBe(2);
  });

  it('is left where it was by a build that is ended', async () => {
    const ended = buildOptions();
    const readStore = new MemoryReadStore(atomic);
    const signal = AbortSignal.abort();
    const building = buildServing(log, readStore, { projection: accountsProjection, ...ended, signal });
    await expect(building).rejects.toThrow(BuildInterruptedError);
    expect(await readStore.servingVersion('accounts')).toBeNull();
  });
});

describe('On a store without atomic batches', () => {
  let log: TestLog;
  let readStore: MemoryReadStore;

  beforeEach(async () => {
    log = await openTestLog();
    readStore = new MemoryReadStore(false);
  });
  afterEach(() => log.dispose());

  async function build(): Promise<void> {
    const timing = { batch: { ...engineTiming.batch, events: 2 } };
    await buildServing(log, readStore, { projection: accountsProjection, ...buildOptions(timing) });
  }

  it('a predecessor that goes on writing late turns nothing back', async () => {
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 5 }));
    await append(log, event('Renamed', 1, { name: 'cid' }), event('Paid', 1, { amount: 2 }));
    await build();
    const digest = await storedDigest(readStore, accountsProjection, 1);
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    expect(model.commits.length).toBeGreaterThan(4);
    for (const { writes } of [...model.commits]) model.writeLate(writes);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(digest);
  });

  it('a batch that is longer than one entry of the journal is finished as well', async () => {
    const name = 'ann'.repeat(100_000);
    await append(log, event('Opened', 1, { name }), event('Opened', 2, { name }));
    const expected = await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection);
    for (let writes = 0; writes < 5; writes += 1) {
      readStore = new MemoryReadStore(false);
      dieAfter(readStore, writes);
      await expect(build()).rejects.toThrow();
      readStore.beforeWrite = () => {};
      await build();
      expect(await storedDigest(readStore, accountsProjection, 1)).toBe(expected);
    }
  });

  it('a batch that the store refuses is not tried again by a successor', async () => {
    await append(log, event('Opened', 1), event('Opened', 2));
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    const openModel = readStore.openModel.bind(readStore);
    let refusing = true;
    readStore.openModel = async (...parameters) => {
      const opened = await openModel(...parameters);
      const commit = model.commit.bind(model);
      opened.commit = async (batch) => {
        const refused = refusing && batch.writes.some(({ collection }) => collection === 'accounts');
        if (refused) throw new UnsupportedQueryError('No such thing');
        await commit(batch);
      };
      return opened;
    };
    await expect(build()).rejects.toThrow(PoisonEventError);
    // Were it tried again, that would fail before any event is looked at.
    await expect(build()).rejects.toThrow(PoisonEventError);
    refusing = false;
    await build();
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(
      await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection),
    );
  });
});
