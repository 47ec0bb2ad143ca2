import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { excerptOf } from '../../src/audit/cases/tasks/search-case.js';
import { StagedFiles } from '../../src/audit/cases/bundle/staged-files.js';
import { CaseTasks } from '../../src/audit/cases/tasks/case-tasks.js';
import type { CaseHits, CaseTaskInput, CaseTaskRun } from '../../src/audit/cases/tasks/case-task.js';
import { budgets } from '../../src/kernel/budgets.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { eventually } from '../support/eventually.js';

const scope = { userIds: [], channelIds: [], since: null, until: null };
const input: CaseTaskInput = { kind: 'search', scope, words: null, query: 'boiler', after: 0 };
const asked = { input, note: (): Promise<void> => Promise.resolve() };
const nothing: CaseHits = { hits: [], looked: 0, beyond: null, unreadable_events: 0 };

let folder: string;
let now = 1_000;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'palimpsest-tasks-')), 'bundles');
});

afterAll(() => rm(dirname(folder), { recursive: true, force: true }));

/** Tasks that end when the test ends them, or when they are stopped. */
function tasksOf(timeout?: number): {
  readonly tasks: CaseTasks;
  readonly runs: (CaseTaskRun & { readonly end: () => void })[];
} {
  const runs: (CaseTaskRun & { readonly end: () => void })[] = [];
  const tasks = new CaseTasks({
    clock: { now: () => now },
    folder,
    ...(timeout !== undefined && { timeout }),
    run: async (input, run) => {
      if (input.kind === 'export') await writeFile(input.file!, 'A bundle.');
      return new Promise((resolve, reject) => {
        const stopped = (): void => reject(new Error('Stopped'));
        if (run.signal.aborted) stopped();
        run.signal.addEventListener('abort', stopped);
        runs.push({ ...run, end: () => resolve(nothing) });
      });
    },
  });
  return { tasks, runs };
}

const refusedWith = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof ApplicationError ? error.row : error),
  );

describe('CaseTasks', () => {
  it('do one thing at a time for each person, and few for all', async () => {
    const { tasks, runs } = tasksOf();
    const first = [];
    for (let count = 0; count < budgets.caseTasksOfAccount.max; count += 1)
      first.push(await tasks.begin(1, 7, asked));
    expect(await refusedWith(tasks.begin(1, 7, asked))).toBe(budgets.caseTasksOfAccount.over);
    for (let other = 2; other <= budgets.caseTasks.max; other += 1) await tasks.begin(other, 7, asked);
    expect(await refusedWith(tasks.begin(99, 7, asked))).toBe(budgets.caseTasks.over);
    runs[0]!.end();
    expect(await tasks.ended(1, first[0]!.id)).toMatchObject({
      state: 'done',
      progress: 1,
      result: nothing,
    });
    await tasks.begin(99, 7, asked);
    await tasks.close();
    expect(await refusedWith(tasks.begin(1, 7, asked))).toBe('unavailable');
  });

  it('tell how far they are, to whom they belong and nobody else', async () => {
    const { tasks, runs } = tasksOf();
    const { id } = await tasks.begin(1, 7, asked);
    await runs[0]!.report(0.25);
    expect(tasks.get(1, id)).toMatchObject({ state: 'running', progress: 0.25, ended: null });
    for (const [owner, caseId] of [
      [2, 7],
      [1, 8],
      ['operator', 7],
    ] as const) {
      expect(tasks.all(owner, caseId)).toEqual([]);
    }
    for (const other of [2, 'operator'] as const)
      expect(() => tasks.get(other, id)).toThrow(ApplicationError);
    await tasks.drop(1, id);
    expect(runs[0]!.signal.aborted).toBe(true);
    expect(await refusedWith(tasks.ended(1, id))).toBe('noSuchCaseTask');
  });

  it('tell who waits of each step, and nothing once they have ended', async () => {
    const { tasks, runs } = tasksOf();
    const told: number[] = [];
    const onProgress = (progress: number): void => void told.push(progress);
    const { id } = await tasks.begin('operator', 7, { ...asked, onProgress });
    await runs[0]!.report(0.25);
    await runs[0]!.report(0.5);
    runs[0]!.end();
    await tasks.ended('operator', id);
    await tasks.drop('operator', id);
    expect(told).toEqual([0.25, 0.5]);
  });

  it('do not begin where it could not be recorded', async () => {
    const { tasks, runs } = tasksOf();
    const note = (): Promise<void> => Promise.reject(new Error('No room'));
    await expect(tasks.begin(1, 7, { input, note })).rejects.toThrow('No room');
    expect([runs, tasks.all(1, 7)]).toEqual([[], []]);
  });

  it('are ended after a while', async () => {
    const { tasks } = tasksOf(1);
    const { id } = await tasks.begin(1, 7, asked);
    expect(await tasks.ended(1, id)).toMatchObject({
      state: 'failed',
      error: { row: budgets.caseTaskMinutes.over },
    });
  });

  it('are forgotten one by one where there are many', async () => {
    const { tasks, runs } = tasksOf();
    const ids: string[] = [];
    for (let count = 0; count <= budgets.caseTasksKept.max; count += 1) {
      const { id } = await tasks.begin(1, 7, asked);
      ids.push(id);
      runs.at(-1)!.end();
      await tasks.ended(1, id);
    }
    expect(tasks.all(1, 7).map(({ id }) => id)).toEqual(ids.slice(1).reverse());
  });
});

describe('the bundles of CaseTasks', () => {
  const about = { id: 7, name: 'A case', description: '', scope: { ...scope }, words: null, heldSince: null };
  const exported = {
    ...asked,
    input: { kind: 'export', scope, words: null, about, file: null } satisfies CaseTaskInput,
  };

  async function made(tasks: CaseTasks, runs: readonly { readonly end: () => void }[]): Promise<string> {
    const before = runs.length;
    const { id } = await tasks.begin(1, 7, exported);
    await eventually(
      () => Promise.resolve(runs.length),
      (count) => count > before,
    );
    runs.at(-1)!.end();
    await tasks.ended(1, id);
    return id;
  }

  it('are kept for who asked, for a while', async () => {
    const { tasks, runs } = tasksOf();
    const id = await made(tasks, runs);
    const file = await tasks.bundle(1, id);
    expect(existsSync(file)).toBe(true);
    expect(await refusedWith(tasks.bundle(2, id))).toBe('noSuchCaseTask');
    now += budgets.caseBundleHours.max * 3_600_000;
    expect(await refusedWith(tasks.bundle(1, id))).toBe(budgets.caseBundleHours.over);
    expect(existsSync(file)).toBe(false);
  });

  it('are gone with their task, with the process, and with what an earlier one left', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'left.zip'), '');
    const { tasks, runs } = tasksOf();
    expect(existsSync(folder)).toBe(false);
    const id = await made(tasks, runs);
    const file = await tasks.bundle(1, id);
    await tasks.drop(1, id);
    expect(existsSync(file)).toBe(false);
    const other = await tasks.bundle(1, await made(tasks, runs));
    await tasks.close();
    expect(existsSync(other)).toBe(false);
  });

  it('are made by exports alone', async () => {
    const { tasks, runs } = tasksOf();
    const { id } = await tasks.begin(1, 7, asked);
    expect(await refusedWith(tasks.bundle(1, id))).toBe('caseTaskUnfinished');
    runs[0]!.end();
    await tasks.ended(1, id);
    expect(await refusedWith(tasks.bundle(1, id))).toBe('caseTaskUnfinished');
  });

  it('are no larger than the budget allows', async () => {
    const staged = new StagedFiles(dirname(folder), 10);
    await staged.write('small', '0123456789');
    expect(await refusedWith(staged.write('small', '0'))).toBe(budgets.caseBundleMebibytes.over);
    await staged.close();
  });
});

describe('an excerpt', () => {
  it('is the text itself where it is short, and else the part around what was looked for', () => {
    expect(excerptOf('The delivery is late.', 'late')).toBe('The delivery is late.');
    const long = `${'before '.repeat(100)}the Deliveries came${' after'.repeat(100)}`;
    const excerpt = excerptOf(long, '"delivery came"');
    expect(excerpt).toContain('the Deliveries came');
    expect(excerpt).toMatch(/^….{240}…$/);
    expect(excerptOf(long, 'nowhere')).toMatch(/^before .*…$/);
  });
});
