import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '../../projections/engine/logger.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import { ProjectorDiedError } from '../../projections/engine/serving-projector.js';
import { launchInThread } from '../../projections/engine/projector-launch.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { accountsProjection } from './support/accounts.projection.js';
import { rebuiltDigest, storedDigest } from './support/building.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

/** Longer than any test: Jest ends what hangs. */
const hour = 3_600_000;

let log: TestLog;
let directory: string;
let readStore: ReadStore;
let positions: ModelPositions;
let host: ProjectionHost;
let logged: string[];

beforeEach(async () => {
  log = await openTestLog();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-models-'));
  readStore = openEmbeddedReadStore({ directory });
  positions = new ModelPositions([accountsProjection], () => Promise.resolve(null));
  logged = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const logger: Logger = { info: note, warn: note, error: note };
  const module = new URL('support/accounts-environment.ts', import.meta.url).href;
  const entry = new URL('support/projector-thread.mjs', import.meta.url);
  host = new ProjectionHost({
    launch: launchInThread({ module, configuration: { file: log.file, directory } }, { entry }),
    projections: [accountsProjection],
    readStore,
    positions,
    logger,
    onDrop: () => undefined,
  });
  await host.start();
});
afterEach(async () => {
  await host.stop();
  await readStore.close();
  await log.dispose();
  await rm(directory, { recursive: true, force: true });
});

describe('A projector thread', () => {
  it('keeps the models up with what this thread appends', async () => {
    await append(log, event('Opened', 1));
    const position = await append(log, event('Paid', 1, { amount: 2 }));
    expect(await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour })).toBe(true);
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    expect(await model.collection('totals').findOne({ _id: 'all' })).toMatchObject({ balance: 2 });
  });

  it('that dies is started again and loses nothing', async () => {
    await append(log, event('Opened', 1));
    await writeFile(join(directory, 'deadly'), '');
    const position = await append(log, event('Paid', 1, { amount: 2 }));
    expect(await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour })).toBe(true);
    expect(logged).toContain('The projector died and is started again');
    const rebuilt = await rebuiltDigest(log, readStore, accountsProjection);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(rebuilt);
  });

  it('rebuilds a model in another thread beside the one that serves', async () => {
    await append(log, event('Opened', 1), event('Paid', 1));
    await host.builds.rebuild('accounts');
    const position = await append(log, event('Paid', 1));
    await until(() => positions.status()[0]?.version === 1_000_001);
    expect(await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour })).toBe(true);
    expect(await storedDigest(readStore, accountsProjection, 1_000_001)).toBe(
      await rebuiltDigest(log, readStore, accountsProjection),
    );
    expect(logged).toContain('A model was built');
  });

  it('stores its checkpoints and ends when it is told to', async () => {
    const position = await append(log, event('Opened', 1), event('Audited', 1));
    await positions.waitUntil({ position: position - 1, types: ['Opened'], milliseconds: hour });
    await until(() => positions.status()[0]?.position === position);
    await host.stop();
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    expect(await model.checkpoint()).toEqual({ position });
    expect(await readStore.acquireLease('projection:accounts:1', 'another', 1_000)).not.toBeNull();
  });

  it('that cannot even start ends the start with an error', async () => {
    const module = new URL('support/no-such-environment.ts', import.meta.url).href;
    const entry = new URL('support/projector-thread.mjs', import.meta.url);
    const hopeless = new ProjectionHost({
      launch: launchInThread({ module, configuration: null }, { entry }),
      projections: [accountsProjection],
      readStore,
      positions: new ModelPositions([accountsProjection], () => Promise.resolve(null)),
      logger: silentLogger,
      onDrop: () => undefined,
    });
    await expect(hopeless.start()).rejects.toThrow(ProjectorDiedError);
  });
});
