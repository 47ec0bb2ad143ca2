import { randomUUID } from 'node:crypto';
import { RateLimiter, RateLimitError } from '../../http/limits/rate-limiter.js';
import { budgets } from '../../kernel/budgets.js';
import type { Clock } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';
import type { CaseTaskRun } from '../cases/tasks/case-task.js';
import { TaskRegistry, type TaskStatus } from '../tasks/task-registry.js';
import type { OwnDataInput, OwnDataResult } from './own-data-task.js';

/** The status of a copy of somebody's own data. */
export type OwnDataExport = TaskStatus<OwnDataResult>;

/** Options of {@link OwnDataExports}. */
interface OwnDataExportsOptions {
  /** Makes a copy outside the thread that answers requests. */
  readonly run: (input: OwnDataInput, run: CaseTaskRun) => Promise<OwnDataResult>;
  readonly clock: Clock;
  /**
   * Folder in which copies are made and kept. Files that an earlier process left there are removed. Null: no copies
   * are made.
   */
  readonly folder: string | null;
  /** Timeout of a copy in milliseconds; absent: that of the budget. */
  readonly timeout?: number;
}

/** The copies of their own data that people requested: one for each person. They are kept until the process ends. */
export class OwnDataExports {
  /** By the id of the person. */
  private readonly tasks: TaskRegistry<number, null, OwnDataResult>;
  private readonly ofDay: RateLimiter;

  constructor(private readonly options: OwnDataExportsOptions) {
    const { clock, folder, timeout = budgets.ownDataMinutes.max * 60_000 } = options;
    this.ofDay = new RateLimiter({ limit: budgets.ownDataOfDay.max, milliseconds: 86_400_000 }, clock);
    this.tasks = new TaskRegistry({
      clock,
      folder,
      timeout,
      lifetime: budgets.ownDataHours.max * 3_600_000,
      atOnce: budgets.ownDataAtOnce.max,
    });
  }

  /**
   * Begins a copy, which replaces the previous one.
   *
   * @param input returns what the copy is made from; called once the copy is accepted, and its errors reach the caller
   * @throws ApplicationError `ownDataRuns`; `unavailable` when too many are being made; RateLimitError;
   * `taskResultsNotInLog` when no copies are made
   */
  async begin(userId: number, input: () => Promise<Omit<OwnDataInput, 'file'>>): Promise<OwnDataExport> {
    const { tasks } = this;
    if (tasks.get(userId)?.status.state === 'running') throw failure('ownDataRuns');
    tasks.assertRoom();
    // Unique, so that removing one copy never affects the next one.
    const fileName = `${userId}-${randomUUID()}.zip`;
    const file = tasks.folder.path(fileName);
    const quota = this.ofDay.take(userId);
    if (!quota.allowed) throw new RateLimitError(quota);
    await tasks.begin(userId, {
      about: null,
      fileName,
      prepare: async () => {
        await tasks.folder.make();
        const given = await input();
        return (run) => this.options.run({ ...given, file }, run);
      },
    });
    return tasks.get(userId)!.status;
  }

  /** The last copy of a person; null: none is kept. */
  of(userId: number): OwnDataExport | null {
    return this.tasks.get(userId)?.status ?? null;
  }

  /** The path of a person's copy. @throws ApplicationError `noOwnData`, `ownDataUnfinished` */
  async file(userId: number): Promise<string> {
    const status = this.of(userId);
    if (status === null) throw failure('noOwnData');
    if (status.expires === null) throw failure('ownDataUnfinished');
    const file = await this.tasks.file(userId);
    if (file === null) throw failure('noOwnData');
    return file;
  }

  /** Aborts and removes a person's copy, if there is one. */
  drop(userId: number): Promise<void> {
    return this.tasks.drop(userId);
  }

  /** Aborts all copies; resolves when they have ended. */
  close(): Promise<void> {
    return this.tasks.close();
  }
}
