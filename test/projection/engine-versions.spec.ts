import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestModel } from '../../projections/engine/compare-models.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { NewerModelError, UnknownProjectionError } from '../../projections/engine/model-versions.js';
import { BuildFailedError } from '../../projections/engine/builders.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import type { Projection } from '../../projections/engine/projection.js';
import { nextGeneration, projectionVersion, storedVersion } from '../../projections/engine/stored-version.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { accountsProjection, withHandler, type TotalsDocument } from './support/accounts.projection.js';
import { buildOptions, quickTiming, rebuiltDigest, storedDigest } from './support/building.js';
import { launchHere } from './support/launch-here.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';
import { rebuildModel } from '../support/rebuild-model.js';

/** Longer than any test: Jest ends what hangs. */
const hour = 3_600_000;

let log: TestLog;
let directory: string;
let readStore: ReadStore;
let hosts: ProjectionHost[];

beforeEach(async () => {
  log = await openTestLog();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-models-'));
  readStore = openEmbeddedReadStore({ directory });
  hosts = [];
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  await readStore.close();
  await log.dispose();
  await rm(directory, { recursive: true, force: true });
});

interface Hosted {
  readonly host: ProjectionHost;
  readonly positions: ModelPositions;
  readonly switches: string[];
}

async function host(
  first: Projection | { readonly projections: readonly Projection[]; readonly acceptNewer: boolean },
  ...others: readonly Projection[]
): Promise<Hosted> {
  const isOne = 'on' in first;
  const projections = isOne ? [first, ...others] : first.projections;
  const switches: string[] = [];
  const positions = new ModelPositions(projections, () => Promise.resolve(null));
  const hosted = new ProjectionHost({
    launch: launchHere({ stores: { log, readStore }, projections, processName: 'test', timing: quickTiming }),
    projections,
    readStore,
    positions,
    logger: silentLogger,
    onCutOver: (name) => switches.push(name),
    onDrop: () => undefined,
  });
  hosts.push(hosted);
  await hosted.start({ acceptNewer: !isOne && first.acceptNewer });
  return { host: hosted, positions, switches };
}

/** The next version keeps audits too. */
const secondVersion: Projection = {
  ...accountsProjection,
  version: 2,
  on: {
    ...accountsProjection.on,
    Audited: { apply: ({ position }) => [{ put: { _id: `audit/${position}` }, collection: 'payments' }] },
  },
};

async function totals(): Promise<TotalsDocument | null> {
  const version = await readStore.servingVersion('accounts');
  const model = await readStore.openModel('accounts', version!, accountsProjection.collections);
  return model.collection<TotalsDocument>('totals').findOne({ _id: 'all' });
}

describe('On a start', () => {
  it('with nothing in the log, every model serves at once', async () => {
    const { positions } = await host(accountsProjection);
    expect(await readStore.servingVersion('accounts')).toBe(1);
    await until(() => positions.lagMilliseconds() === 0);
  });

  it('without models, they serve once they hold everything that the log holds', async () => {
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 4 }));
    await host(accountsProjection);
    expect(await totals()).toMatchObject({ balance: 4 });
  });

  it('what serves is taken up where it was left, and has caught up when the start is over', async () => {
    const first = await host(accountsProjection);
    await append(log, event('Opened', 1));
    await first.host.stop();
    await append(log, event('Paid', 1, { amount: 4 }));
    await host(accountsProjection);
    expect(await totals()).toMatchObject({ open: 1, balance: 4 });
  });

  it('a model of a newer version is refused with a sentence, and nothing is started', async () => {
    const first = await host(secondVersion);
    await first.host.stop();
    await expect(host(accountsProjection)).rejects.toThrow(NewerModelError);
    await expect(host(accountsProjection)).rejects.toThrow(
      'The read model "accounts" is of version 2, and this program knows version 1',
    );
  });

  it('a model of a newer version can be rebuilt by the older program, which then serves, and forward again', async () => {
    const newer = await host(secondVersion);
    await append(log, event('Opened', 1), event('Audited', 1));
    await newer.host.stop();
    const older = await host({ projections: [accountsProjection], acceptNewer: true });
    await append(log, event('Paid', 1, { amount: 4 }));
    expect(projectionVersion(await older.host.builds.rebuild('accounts'))).toBe(1);
    await until(async () => (await totals())?.balance === 4);
    await older.host.stop();
    const again = await host(accountsProjection);
    await append(log, event('Paid', 1, { amount: 3 }));
    await until(async () => (await totals())?.balance === 7);
    await again.host.stop();
    await host(secondVersion);
    await until(async () => (await readStore.servingVersion('accounts')) === 2);
    expect(await totals()).toMatchObject({ balance: 7 });
  });

  it('a changed model is built beside the old one, which serves until then and is kept', async () => {
    const first = await host(accountsProjection);
    await append(log, event('Opened', 1), event('Audited', 1));
    await first.host.stop();
    const { positions, switches } = await host(secondVersion);
    await until(async () => (await readStore.servingVersion('accounts')) === 2);
    const position = await append(log, event('Paid', 1, { amount: 4 }));
    await until(() => positions.status()[0]?.version === 2);
    expect(await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour })).toBe(true);
    expect(switches).toEqual(['accounts']);
    expect(await readStore.modelVersions('accounts')).toEqual([1, 2]);
    const rebuilt = await rebuiltDigest(log, readStore, secondVersion);
    expect(await storedDigest(readStore, secondVersion, 2)).toBe(rebuilt);
  });

  it('a build that was interrupted is taken up again, not begun again', async () => {
    const first = await host(accountsProjection);
    await first.host.stop();
    await append(log, event('Opened', 1), event('Opened', 2));
    const halfway = await readStore.openModel('accounts', 2, secondVersion.collections);
    const writes = [
      {
        collection: 'payments',
        write: { replaceOne: { filter: { _id: 'x' }, replacement: { _id: 'x' }, upsert: true } },
      },
    ];
    await halfway.commit({ writes, checkpoint: { position: 1 }, fencingToken: 0 });
    await host(secondVersion);
    await until(async () => (await readStore.servingVersion('accounts')) === 2);
    expect(await totals()).toMatchObject({ open: 1 });
  });

  it('a model that cannot be built is served as it stands, in red, and its writers do not wait', async () => {
    const first = await host(accountsProjection);
    await first.host.stop();
    await append(log, event('Opened', 1));
    const broken = (): never => {
      throw new Error('Broken');
    };
    const { positions } = await host({ ...secondVersion, on: { Opened: { apply: broken } } });
    await until(() => positions.status()[0]?.state === 'frozen');
    expect(await positions.waitUntil({ position: 1, types: ['Opened'], milliseconds: hour })).toBe(false);
    expect(await readStore.servingVersion('accounts')).toBe(1);
  });
});

describe('A start is not held up', () => {
  it('by a model whose first build halts', async () => {
    await append(log, event('Opened', 1));
    const broken = withHandler('Opened', () => ({
      apply: () => {
        throw new Error('Broken');
      },
    }));
    const other = { ...accountsProjection, name: 'other', collections: accountsProjection.collections };
    const { positions } = await host(broken, other);
    expect(positions.status().map(({ projection, state }) => [projection, state])).toEqual([
      ['accounts', 'halted'],
      ['other', 'live'],
    ]);
    expect(await readStore.servingVersion('accounts')).toBeNull();
  });
});

describe('A rebuild', () => {
  it('makes what the live model is, and leaves what serves alone', async () => {
    const { positions } = await host(accountsProjection);
    await append(
      log,
      event('Opened', 1, { name: 'ann' }),
      event('Paid', 1),
      event('Renamed', 1, { name: 'bob' }),
    );
    const position = await append(log, event('Closed', 1), event('Opened', 1), event('Paid', 1));
    expect(await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour })).toBe(true);
    const built = await rebuildModel({ log, readStore }, accountsProjection, buildOptions());
    expect(built.position).toBe(position);
    expect(built.model.version).not.toBe(1);
    expect(await digestModel(built)).toBe(await storedDigest(readStore, accountsProjection, 1));
    expect(await readStore.servingVersion('accounts')).toBe(1);
  });

  it('of an empty log makes an empty model', async () => {
    const built = await rebuildModel({ log, readStore }, accountsProjection, buildOptions());
    expect(await built.model.collection('accounts').countDocuments({})).toBe(0);
  });

  it('of an unknown name fails with a sentence that lists the known ones', async () => {
    const { host: hosted } = await host(accountsProjection);
    await expect(hosted.builds.rebuild('account')).rejects.toThrow(UnknownProjectionError);
    await expect(hosted.builds.rebuild('account')).rejects.toThrow(
      'There is no projection "account"; there are accounts.',
    );
  });

  it('switches readers over while writers go on, and nothing is lost', async () => {
    const { host: hosted, positions, switches } = await host(accountsProjection);
    await append(log, event('Opened', 1));
    let writing = true;
    const writer = (async () => {
      let count = 0;
      for (; writing; count += 1) {
        const position = await append(log, event('Paid', 1, { amount: 1 }));
        await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
      }
      return count;
    })();
    await hosted.builds.rebuild('accounts');
    await hosted.builds.rebuild('accounts');
    writing = false;
    const count = await writer;
    const version = (await readStore.servingVersion('accounts'))!;
    expect(switches).toHaveLength(3);
    expect({ code: projectionVersion(version), version }).toEqual({ code: 1, version: storedVersion(1, 2) });
    await until(async () => (await totals())?.balance === count);
    expect(await storedDigest(readStore, accountsProjection, version)).toBe(
      await rebuiltDigest(log, readStore, accountsProjection),
    );
    expect(await readStore.modelVersions('accounts')).toEqual([storedVersion(1, 1), storedVersion(1, 2)]);
  });

  it('that meets a poison event fails with its reason, and what served serves on', async () => {
    let broken = false;
    const fragile = withHandler('Opened', (handler) => ({
      ...handler,
      apply: (opened, documents) => {
        if (broken) throw new Error('Broken meanwhile');
        return handler.apply(opened, documents);
      },
    }));
    const { host: hosted } = await host(fragile);
    await append(log, event('Opened', 1));
    broken = true;
    await expect(hosted.builds.rebuild('accounts')).rejects.toThrow(BuildFailedError);
    expect(await readStore.servingVersion('accounts')).toBe(1);
  });
});

describe('A stored version', () => {
  it('is the version of the projection itself until it is rebuilt', () => {
    expect(storedVersion(7, 0)).toBe(7);
    expect(nextGeneration(7, [])).toBe(7);
    expect(nextGeneration(7, [3, 7])).toBe(1_000_007);
    expect(nextGeneration(7, [7, 2_000_007, 9_000_008])).toBe(3_000_007);
    expect(projectionVersion(3_000_007)).toBe(7);
  });
});
