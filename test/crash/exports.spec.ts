import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExportFiles, ExportsFolder } from '../../src/audit/exports/export-files.js';
import type { RunExport } from '../../src/audit/exports/contents/format.js';
import type { MadeExport } from '../../src/audit/exports/exports.decide.js';
import { foldedExports, type Export } from '../../src/audit/exports/exports.state.js';
import { ExportMaking, MakeExports } from '../../src/audit/exports/jobs.js';
import { RemoveExportFiles } from '../../src/audit/exports/reactors.js';
import { EXPORTS_STREAM, type ExportEvent } from '../../src/events/exports.js';
import { budgets } from '../../src/kernel/budgets.js';
import { failure } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { serverMetadata } from '../../src/stores/event-store/command-metadata.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { decisionsOver } from '../support/decisions-over.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { newDataDirectory, removeDataDirectory } from './support/data-directory.js';

const made: MadeExport = { sha256: '0'.repeat(64), messages: 1, missingFiles: 0, damagedEvents: 0 };

class SetClock extends SystemClock {
  time = Date.UTC(2026, 0, 1);

  override now(): number {
    return this.time;
  }
}

/** A process that makes exports over stores that outlive it. */
class Maker {
  readonly job: MakeExports;
  readonly files: ExportFiles;
  private readonly streams: FoldedStreams;

  constructor(
    private readonly stores: TemporaryStores,
    private readonly clock: SetClock,
    making: ExportMaking,
  ) {
    const folder = new ExportsFolder(join(stores.directory, 'exports'));
    this.streams = new FoldedStreams(stores.log);
    this.files = new ExportFiles(stores.files, stores.vault, folder);
    this.job = new MakeExports(making, this.files, decisionsOver(this.streams), clock);
  }

  async exports(): Promise<readonly Export[]> {
    return (await this.streams.load(foldedExports)).state.known;
  }

  async append(...events: readonly ExportEvent[]): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.stores.log.append({ stream: EXPORTS_STREAM, expected: 'any' }, events, metadata);
  }

  /** The last event about exports. */
  async last(): Promise<RecordedEvent> {
    const [event] = await this.stores.log.readStream(EXPORTS_STREAM, { direction: 'backwards', limit: 1 });
    return event!;
  }

  async request(): Promise<void> {
    await this.append({ type: 'ExportRequested', data: { exportId: 1, userId: 3, exportType: 'public' } });
  }

  /** Looks once, and then until an export is as wanted; what goes wrong is gathered. */
  async until(isWanted: (one: Export) => boolean): Promise<readonly string[]> {
    const faults: string[] = [];
    await eventually(async () => {
      await this.job.perform().catch((error: unknown) => faults.push((error as Error).message));
      return (await this.exports())[0]!;
    }, isWanted);
    return faults;
  }

  /** What lies in the file store, and in the folder that exports are made in. */
  async kept(): Promise<readonly string[]> {
    const names = await readdir(this.stores.directory, { recursive: true });
    return names.filter((name) => /exports\/./.test(name));
  }
}

const writing =
  (content: string): RunExport =>
  async ({ file }) => {
    await writeFile(file, content);
    return made;
  };

/** One that is never done, unless somebody ends it. */
const endless: RunExport = async ({ file }, { signal }) => {
  await writeFile(file, 'Half of it.');
  if (!signal.aborted)
    await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
  throw failure('unavailable');
};

async function on(
  stores: (clock: SetClock, open: (run: RunExport, timeout?: number) => Maker) => Promise<void>,
): Promise<void> {
  const opened = await openTemporaryStores();
  const clock = new SetClock();
  try {
    await stores(clock, (run, timeout) => new Maker(opened, clock, new ExportMaking(run, timeout)));
  } finally {
    await opened.dispose();
  }
}

describe('making an export', () => {
  it('stores the finished file, encrypted, and nothing else', () =>
    on(async (_clock, open) => {
      const maker = open(writing('All of it.'));
      await maker.request();
      expect(await maker.until((one) => one.made !== null)).toEqual([]);
      const [{ made: done, attempts }] = (await maker.exports()) as [Export];
      expect([attempts, done!.file.size]).toEqual([1, 10]);
      expect(await text(await maker.files.open(done!.file, null))).toBe('All of it.');
      expect(await maker.kept()).toEqual([expect.stringContaining(done!.file.name)]);
    }));

  it('is begun again by the next process where one was ended, however far it had come', () =>
    on(async (clock, open) => {
      const first = open(endless);
      await first.request();
      await first.until((one) => one.attempts === 1);
      await first.job.onModuleDestroy();
      expect(await first.kept()).toEqual([]);
      // Cut off after the file was kept, and before that was recorded.
      clock.time += 60_000;
      const name = first.files.nameOf('cutoff');
      await first.append({ type: 'ExportStarted', data: { exportId: 1, storageName: name } });
      await writeFile(join(await first.files.emptyPlace(), '..', 'left'), 'Half of it.');
      const source = await first.files.emptyPlace();
      await writeFile(source, 'All of it.');
      await first.files.keep(name, source);
      clock.time += 600_000;
      const second = open(writing('All of it anew.'));
      expect(await second.until((one) => one.made !== null)).toEqual([]);
      const [{ made: done, attempts }] = (await second.exports()) as [Export];
      expect([attempts, done!.file.size]).toEqual([3, 15]);
      expect(await second.kept()).toEqual([expect.stringContaining(done!.file.name)]);
    }));

  it('begins with a folder that is swept, also where there is nothing to make', () =>
    on(async (_clock, open) => {
      const maker = open(endless);
      await writeFile(await maker.files.emptyPlace(), 'All of it, in the clear.');
      await maker.job.perform();
      expect(await maker.kept()).toEqual([]);
    }));

  it('fails after a maximum number of attempts, and every error is logged', () =>
    on(async (clock, open) => {
      const maker = open(async ({ file }) => {
        await writeFile(file, 'Half of it.');
        clock.time += 3_600_000;
        throw new Error('The disk is on fire');
      });
      await maker.request();
      const faults = await maker.until((one) => one.failed !== null);
      expect(faults).toEqual(Array.from({ length: budgets.exportAttempts.max }, () => 'The disk is on fire'));
      expect((await maker.exports())[0]!.failed!.fault).toBe('failed again and again');
      expect(await maker.kept()).toEqual([]);
    }));

  it('is given up at once where it would be too large, and where it takes too long', async () => {
    expect(new ExportMaking(endless).timeout).toBe(budgets.exportMinutes.max * 60_000);
    const refused: RunExport = () => Promise.reject(failure('exportTooLarge'));
    for (const [run, timeout, fault] of [
      [refused, 60_000, 'too large'],
      [endless, 1, 'took too long'],
    ] as const)
      await on(async (_clock, open) => {
        const maker = open(run, timeout);
        await maker.request();
        expect(await maker.until((one) => one.failed !== null)).toEqual([]);
        const [{ failed, attempts }] = (await maker.exports()) as [Export];
        expect([failed!.fault, attempts]).toEqual([fault, 1]);
        expect(await maker.kept()).toEqual([]);
      });
  });

  it('leaves the export to another process that began it meanwhile', () =>
    on(async (_clock, open) => {
      const other = { exportId: 1, storageName: '2/exports/other' };
      const maker: Maker = open(async (input, options) => {
        await maker.append({ type: 'ExportStarted', data: other });
        return writing('Too late.')(input, options);
      });
      await maker.request();
      await maker.until((one) => one.attempts === 2);
      await eventually(
        () => maker.kept(),
        (names) => names.length === 0,
      );
      await maker.job.onModuleDestroy();
      expect((await maker.exports())[0]).toMatchObject({
        made: null,
        failed: null,
        storageName: other.storageName,
      });
    }));

  it('is removed when its time is over, and its key is destroyed', () =>
    on(async (clock, open) => {
      const maker = open(writing('All of it.'));
      await maker.request();
      await maker.until((one) => one.made !== null);
      const { file } = (await maker.exports())[0]!.made!;
      clock.time += budgets.exportDays.max * 86_400_000;
      await maker.until((one) => one.deletedAt !== null);
      const deleted = await maker.last();
      const removing = new RemoveExportFiles(maker.files);
      // After a crash it may come again.
      for (const _time of [1, 2]) await removing.on[deleted.type]!(deleted);
      expect(await maker.kept()).toEqual([]);
      await expect(maker.files.open(file, null)).rejects.toMatchObject({ row: 'exportDeleted' });
    }));
});

describe('a server that is killed while it makes an export', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await newDataDirectory();
  });

  afterAll(() => removeDataDirectory(directory));

  it('makes it when it is started again, and leaves nothing half made', async () => {
    const stores = ServerStores.embedded();
    const first = await TestServer.start({ directory, stores });
    const owner = await first.owner();
    const asked = await owner.must('post', 'export/realm');
    await owner.must('post', 'export/realm', { export_type: 'full_with_consent' });
    await first.kill();
    const second = await TestServer.start({ directory, stores });
    try {
      const client = await second.owner();
      const list = async (): Promise<readonly Record<string, unknown>[]> =>
        (await client.must('get', 'export/realm'))['exports'] as readonly Record<string, unknown>[];
      const exports = await eventually(list, (all) => all.every(({ pending }) => pending === false));
      expect(exports.map(({ id, failed_timestamp }) => [id, failed_timestamp])).toEqual([
        [asked['id'], null],
        [2, null],
      ]);
      for (const { id } of exports)
        expect((await client.fetch(`/api/v1/export/realm/${String(id)}/file`)).status).toBe(200);
      const kept = async (): Promise<readonly string[]> =>
        (await readdir(directory, { recursive: true })).filter((name) => /exports\/./.test(name));
      const names = await eventually(kept, ({ length }) => length === 2);
      expect(names.every((name) => name.startsWith('files/'))).toBe(true);
    } finally {
      await second.stop();
    }
  });
});
