import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnDataExports } from '../../src/audit/own-data/own-data-exports.js';
import type { OwnDataInput, OwnDataResult } from '../../src/audit/own-data/own-data-task.js';
import { ownMessage } from '../../src/audit/own-data/own-message.js';
import { StagedFiles } from '../../src/audit/cases/bundle/staged-files.js';
import type { CoveredMessage } from '../../src/audit/cases/covered-messages.js';
import type { CaseTaskRun } from '../../src/audit/cases/tasks/case-task.js';
import type { Recipient } from '../../src/events/messages.js';
import { budgets } from '../../src/kernel/budgets.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { eventually } from '../support/eventually.js';

const nothing = { bytes: 9, sha256: '', messages: 0, versions: 0, events: 0, files: 0 };
const result: OwnDataResult = { ...nothing, missing_files: 0, unreadable_events: 0 };

let folder: string;
let now = 1_000;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'palimpsest-own-data-')), 'own-data');
});

afterAll(() => rm(dirname(folder), { recursive: true, force: true }));

type Run = CaseTaskRun & { readonly end: () => void };

/** Copies that end when the test ends them, or when they are stopped. */
function exportsOf(timeout?: number): { readonly exports: OwnDataExports; readonly runs: Run[] } {
  const runs: Run[] = [];
  const exports = new OwnDataExports({
    clock: { now: () => now },
    folder,
    ...(timeout !== undefined && { timeout }),
    run: async ({ file }, run) => {
      await writeFile(file, 'My data.');
      return new Promise((resolve, reject) => {
        const stopped = (): void => reject(new Error('Stopped'));
        if (run.signal.aborted) stopped();
        run.signal.addEventListener('abort', stopped);
        runs.push({ ...run, end: () => resolve(result) });
      });
    },
  });
  return { exports, runs };
}

const inputOf = (userId: number) => (): Promise<Omit<OwnDataInput, 'file'>> =>
  Promise.resolve({ kind: 'own-data', userId, records: '{}', channelIds: [] });

const refusedWith = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof ApplicationError ? error.row : error),
  );

const until = (condition: () => boolean): Promise<boolean> =>
  eventually(
    () => Promise.resolve(condition()),
    (holds) => holds,
  );

describe('OwnDataExports', () => {
  it('make one copy at a time for each person, and few for all', async () => {
    const { exports } = exportsOf();
    for (let count = 0; count < budgets.ownDataOfAccount.max; count += 1) await exports.begin(1, inputOf(1));
    expect(await refusedWith(exports.begin(1, inputOf(1)))).toBe(budgets.ownDataOfAccount.over);
    for (let other = 2; other <= budgets.ownDataAtOnce.max; other += 1)
      await exports.begin(other, inputOf(other));
    expect(await refusedWith(exports.begin(99, inputOf(99)))).toBe(budgets.ownDataAtOnce.over);
    await exports.close();
    expect(await refusedWith(exports.begin(1, inputOf(1)))).toBe('unavailable');
    expect(existsSync(folder)).toBe(false);
  });

  it('hand a copy out to nobody else, until it is old', async () => {
    const { exports, runs } = exportsOf();
    await exports.begin(1, inputOf(1));
    await until(() => runs.length === 1);
    expect(await refusedWith(exports.file(1))).toBe('ownDataUnfinished');
    runs[0]!.end();
    await until(() => exports.of(1)?.state === 'done');
    const file = await exports.file(1);
    expect(existsSync(file)).toBe(true);
    expect(await refusedWith(exports.file(2))).toBe('noOwnData');
    now += budgets.ownDataHours.max * 3_600_000;
    expect(await refusedWith(exports.file(1))).toBe(budgets.ownDataHours.over);
    expect(existsSync(file)).toBe(false);
    await exports.close();
  });

  it('are begun so often a day, and not more', async () => {
    const { exports } = exportsOf();
    for (let count = 0; count < budgets.ownDataOfDay.max; count += 1) {
      await exports.begin(1, inputOf(1));
      await exports.drop(1);
    }
    expect(await refusedWith(exports.begin(1, inputOf(1)))).toBe(budgets.ownDataOfDay.over);
    expect(exports.of(1)).toBeNull();
    await exports.close();
  });

  it('keep no task if the copy could not be started', async () => {
    const { exports } = exportsOf();
    const gone = (): Promise<never> => Promise.reject(new Error('Gone'));
    expect(await refusedWith(exports.begin(1, gone))).toEqual(new Error('Gone'));
    expect(exports.of(1)).toBeNull();
    await exports.begin(1, inputOf(1));
    await exports.close();
  });

  it('fail after a maximum time, and at a maximum size of their files', async () => {
    const { exports } = exportsOf(1);
    await exports.begin(1, inputOf(1));
    await until(() => exports.of(1)?.state === 'failed');
    expect(exports.of(1)?.error?.row).toBe(budgets.ownDataMinutes.over);
    await exports.close();
    const staged = new StagedFiles(dirname(folder), 10, budgets.ownDataMebibytes.over);
    await staged.write('a', '0123456789');
    expect(await refusedWith(staged.write('a', '0'))).toBe('ownDataTooLarge');
    await staged.close();
  });
});

describe('A message in a copy', () => {
  const names = { nameAt: (kind: string, id: number) => `${kind} ${id}` };
  const view = { userId: 3, channelIds: new Set([1]) };
  const channel = (channelId: number): Recipient => ({ type: 'channel', channelId, topic: 'looms' });
  const version = { content: 'Old', erased: false, at: 0, actorId: 3, uploadIds: [] };
  const message = (more: Partial<CoveredMessage>, places: readonly Recipient[]): CoveredMessage => ({
    messageId: 7,
    senderId: 3,
    locations: places.map((place) => ({ place, move: null })),
    versions: [version, { ...version, content: 'New', at: 1 }],
    deletedAt: null,
    deletedBy: null,
    stored: [],
    ...more,
  });

  it('has every version of the person’s own, also of one that is deleted, but not who deleted it', () => {
    const told = ownMessage(message({ deletedAt: 2, deletedBy: 5 }, [channel(1)]), names, view);
    expect(told?.versions.map(({ text }) => text)).toEqual(['Old', 'New']);
    expect(told?.deleted).toEqual({
      at: '1970-01-01T00:00:00.002Z',
      by_id: null,
      by_name: 'somebody else',
    });
    expect(told?.place_name).toBe('#channel 1 > looms');
  });

  it('does not name a channel that the person cannot see', () => {
    const told = ownMessage(message({}, [channel(1), channel(2)]), names, view);
    expect(JSON.stringify(told)).not.toMatch(/channel 2|"channel_id":2/);
    expect(told).toMatchObject({
      place_name: 'a channel that you cannot read',
      moved_from: ['#channel 1 > looms'],
    });
  });

  it('has what others wrote to them directly as it reads now, and nothing else of others', () => {
    const direct: Recipient = { type: 'direct', userIds: [3, 4] };
    const told = ownMessage(message({ senderId: 4 }, [direct]), names, view);
    expect(told?.versions.map(({ text }) => text)).toEqual(['New']);
    expect(ownMessage(message({ senderId: 4, deletedAt: 2 }, [direct]), names, view)).toBeNull();
    expect(ownMessage(message({ senderId: 4 }, [channel(1)]), names, view)).toBeNull();
    expect(
      ownMessage(message({ senderId: 4 }, [{ type: 'direct', userIds: [4, 5] }]), names, view),
    ).toBeNull();
  });
});
