import { randomUUID } from 'node:crypto';
import { asApplicationError } from '../../../http/as-application-error.js';
import { budgets } from '../../../kernel/budgets.js';
import type { Clock } from '../../../kernel/clock.js';
import { failure, type ApplicationError } from '../../../kernel/errors.js';
import { runTask, TaskFolder } from '../../task-folder.js';
import type { CaseTaskInput, CaseTaskKind, CaseTaskResult, RunCaseTask } from './case-task.js';

/** The status of a task. */
export interface CaseTask {
  readonly id: string;
  readonly caseId: number;
  readonly kind: CaseTaskKind;
  readonly state: 'running' | 'done' | 'failed';
  /** Progress, 0 to 1. */
  readonly progress: number;
  /** Milliseconds since the UNIX epoch. */
  readonly began: number;
  /** Milliseconds since the UNIX epoch; null: it is still running. */
  readonly ended: number | null;
  /** Null: it is not complete, or it failed. */
  readonly result: CaseTaskResult | null;
  /** Why it failed; null: it has not failed. */
  readonly error: ApplicationError | null;
  /** The bundle that it made, and when that expires, in milliseconds since the UNIX epoch; null: it made none. */
  readonly bundle: { readonly file: string; readonly expires: number } | null;
}

/** Who owns a task: an account, or the operator on the command line. */
type TaskOwner = number | 'operator';

/** Options of {@link CaseTasks}. */
interface CaseTasksOptions {
  readonly run: RunCaseTask;
  readonly clock: Clock;
  /**
   * Folder in which bundles are made and wait for download. Files that an earlier process left there are removed.
   * Null: no bundles are made.
   */
  readonly folder: string | null;
  /** Timeout of a task in milliseconds; absent: that of the budget. */
  readonly timeout?: number;
}

/** A task that somebody asks for. */
interface NewCaseTask {
  readonly input: CaseTaskInput;
  /** Called after the task was accepted and before it begins; the caller of `begin` receives its errors. */
  readonly note: () => Promise<void>;
  /** Called with the progress, 0 to 1, while the task runs. */
  readonly onProgress?: (progress: number) => void;
}

interface Kept {
  task: CaseTask;
  readonly owner: TaskOwner;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

/**
 * The tasks about cases and their results: one running task for each person, and few for everybody together. They are
 * kept in memory until the process ends.
 */
export class CaseTasks {
  private readonly kept = new Map<string, Kept>();
  private readonly folder: TaskFolder;
  private isClosed = false;

  constructor(private readonly options: CaseTasksOptions) {
    this.folder = new TaskFolder(options.folder);
  }

  /**
   * Begins a task.
   *
   * @throws ApplicationError `caseTaskRuns` while another task of the same owner runs; `unavailable` when too many
   * tasks run
   */
  async begin(owner: TaskOwner, caseId: number, asked: NewCaseTask): Promise<CaseTask> {
    const running = [...this.kept.values()].filter(({ task }) => task.state === 'running');
    if (running.filter((one) => one.owner === owner).length >= budgets.caseTasksOfAccount.max)
      throw failure('caseTaskRuns');
    if (this.isClosed || running.length >= budgets.caseTasks.max) throw failure('unavailable');
    const id = randomUUID();
    const stopping = new AbortController();
    const task: CaseTask = {
      id,
      caseId,
      kind: asked.input.kind,
      state: 'running',
      progress: 0,
      began: this.options.clock.now(),
      ended: null,
      result: null,
      error: null,
      bundle: null,
    };
    // From here on the task occupies its place, so another request cannot take it while the note is written.
    const noted = asked.note();
    const done = noted.then(() => this.perform(id, asked, stopping.signal)).catch(() => undefined);
    this.kept.set(id, { task, owner, stopping, done });
    try {
      await noted;
    } catch (error) {
      this.kept.delete(id);
      throw error;
    }
    await this.forgetOldest(owner);
    return this.get(owner, id);
  }

  /** The tasks of an owner about a case, newest first. */
  all(owner: TaskOwner, caseId: number): readonly CaseTask[] {
    const own = [...this.kept.values()].filter((one) => one.owner === owner && one.task.caseId === caseId);
    return own.map(({ task }) => task).reverse();
  }

  /** @throws ApplicationError `noSuchCaseTask`, also for somebody else's task */
  get(owner: TaskOwner, id: string): CaseTask {
    return this.find(owner, id).task;
  }

  /**
   * The path of the bundle that a task made.
   *
   * @throws ApplicationError `noSuchCaseTask`, also when the bundle has expired; `caseTaskUnfinished`
   */
  async bundle(owner: TaskOwner, id: string): Promise<string> {
    const { bundle } = this.find(owner, id).task;
    if (bundle === null) throw failure('caseTaskUnfinished');
    if (this.options.clock.now() < bundle.expires) return bundle.file;
    await this.drop(owner, id);
    throw failure('noSuchCaseTask');
  }

  /** Waits until a task has ended, and returns it. @throws as {@link get} */
  async ended(owner: TaskOwner, id: string): Promise<CaseTask> {
    const found = this.find(owner, id);
    await found.done;
    return found.task;
  }

  /** Aborts a task if it is running, and forgets its result. @throws as {@link get} */
  async drop(owner: TaskOwner, id: string): Promise<void> {
    const found = this.find(owner, id);
    found.stopping.abort();
    await found.done;
    await this.forget(found);
  }

  /** Aborts all tasks; resolves when they have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { stopping } of this.kept.values()) stopping.abort();
    await Promise.all([...this.kept.values()].map(({ done }) => done));
    await this.folder.close();
  }

  private find(owner: TaskOwner, id: string): Kept {
    const found = this.kept.get(id);
    if (found?.owner !== owner) throw failure('noSuchCaseTask');
    return found;
  }

  private async perform(id: string, { input, onProgress }: NewCaseTask, stopped: AbortSignal): Promise<void> {
    const { run, clock, timeout = budgets.caseTaskMinutes.max * 60_000 } = this.options;
    const change = (change: Partial<CaseTask>): void => {
      const kept = this.kept.get(id);
      if (kept !== undefined) kept.task = { ...kept.task, ...change };
    };
    try {
      const placed = input.kind === 'export' ? { ...input, file: await this.place(id) } : input;
      const report = (progress: number): void => {
        change({ progress });
        onProgress?.(progress);
      };
      const result = await runTask({ stopped, timeout }, (signal) => run(placed, { report, signal }));
      const bundle = placed.kind === 'export' ? { file: placed.file, expires: this.expiry(id) } : null;
      change({ state: 'done', progress: 1, result, bundle, ended: clock.now() });
    } catch (thrown) {
      await this.folder.remove(fileOf(id));
      change({ state: 'failed', error: asApplicationError(thrown), ended: clock.now() });
    }
  }

  /** Returns when a bundle that is made now expires, and schedules its removal. */
  private expiry(id: string): number {
    const milliseconds = budgets.caseBundleHours.max * 3_600_000;
    setTimeout(() => {
      const found = this.kept.get(id);
      if (found !== undefined) void this.forget(found);
    }, milliseconds).unref();
    return this.options.clock.now() + milliseconds;
  }

  /** Removes the oldest task that has ended, because the number of tasks kept for each owner is limited. */
  private async forgetOldest(owner: TaskOwner): Promise<void> {
    const own = [...this.kept.values()].filter((one) => one.owner === owner);
    const surplus = own.length - budgets.caseTasksKept.max;
    const ended = own.filter(({ task }) => task.state !== 'running');
    for (const one of ended.slice(0, Math.max(0, surplus))) await this.forget(one);
  }

  private async forget({ task: { id } }: Kept): Promise<void> {
    this.kept.delete(id);
    await this.folder.remove(fileOf(id));
  }

  private async place(id: string): Promise<string> {
    await this.folder.make();
    return this.folder.path(fileOf(id));
  }
}

function fileOf(id: string): string {
  return `${id}.zip`;
}
