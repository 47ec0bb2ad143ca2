import { randomUUID } from 'node:crypto';
import { asApplicationError } from '../../../http/as-application-error.js';
import { budgets } from '../../../kernel/budgets.js';
import type { Clock } from '../../../kernel/clock.js';
import { failure, type ApplicationError } from '../../../kernel/errors.js';
import { runTask, TaskFolder } from '../../task-folder.js';
import type { CaseTaskInput, CaseTaskKind, CaseTaskResult, RunCaseTask } from './case-task.js';

/** How a task stands. */
export interface CaseTask {
  readonly id: string;
  readonly caseId: number;
  readonly kind: CaseTaskKind;
  readonly state: 'running' | 'done' | 'failed';
  /** How much of the work is done: 0 to 1. */
  readonly progress: number;
  /** Milliseconds since the UNIX epoch. */
  readonly began: number;
  /** Null: it runs. */
  readonly ended: number | null;
  /** Null: it is not done. */
  readonly result: CaseTaskResult | null;
  /** Why it failed; null: it did not. */
  readonly error: ApplicationError | null;
  /** The bundle that it made, and until when it is kept, in milliseconds since the UNIX epoch; null: it made none. */
  readonly bundle: { readonly file: string; readonly expires: number } | null;
}

/** Whose task it is: an account here, or somebody on the command line. */
export type TaskOwner = number | 'operator';

/** What {@link CaseTasks} work with. */
export interface CaseTasksOptions {
  readonly run: RunCaseTask;
  readonly clock: Clock;
  /** Where bundles are made, and wait to be downloaded: what an earlier process left there is removed. Null: none are made. */
  readonly folder: string | null;
  /** Milliseconds after which a task is ended; absent: what the budget allows. */
  readonly timeout?: number;
}

/** A task that is asked for. */
export interface NewCaseTask {
  readonly input: CaseTaskInput;
  /** Called when the task is allowed, before it begins: what it throws is thrown on. */
  readonly note: () => Promise<void>;
  /** Told how much of the work is done, 0 to 1, while the task runs. */
  readonly onProgress?: (progress: number) => void;
}

interface Kept {
  task: CaseTask;
  readonly owner: TaskOwner;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

/**
 * What is being done about cases, and what came of it: one task at a time for each person, few for all of them. They live as long as the
 * process that was asked.
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
   * @throws ApplicationError `caseTaskRuns` while another one of theirs runs; `unavailable` when too many others run
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
    // Its place is taken from here on.
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

  /** Those of somebody about a case, the newest first. */
  all(owner: TaskOwner, caseId: number): readonly CaseTask[] {
    const own = [...this.kept.values()].filter((one) => one.owner === owner && one.task.caseId === caseId);
    return own.map(({ task }) => task).reverse();
  }

  /** @throws ApplicationError `noSuchCaseTask`, also for somebody else's */
  get(owner: TaskOwner, id: string): CaseTask {
    return this.find(owner, id).task;
  }

  /**
   * The bundle that a task made.
   *
   * @throws ApplicationError `noSuchCaseTask`, also when it was kept long enough; `caseTaskUnfinished`
   */
  async bundle(owner: TaskOwner, id: string): Promise<string> {
    const { bundle } = this.find(owner, id).task;
    if (bundle === null) throw failure('caseTaskUnfinished');
    if (this.options.clock.now() < bundle.expires) return bundle.file;
    await this.drop(owner, id);
    throw failure('noSuchCaseTask');
  }

  /** A task when it has ended. @throws as {@link get} */
  async ended(owner: TaskOwner, id: string): Promise<CaseTask> {
    const found = this.find(owner, id);
    await found.done;
    return found.task;
  }

  /** Ends a task where it runs, and forgets what came of it. @throws as {@link get} */
  async drop(owner: TaskOwner, id: string): Promise<void> {
    const found = this.find(owner, id);
    found.stopping.abort();
    await found.done;
    await this.forget(found);
  }

  /** Ends all tasks; resolves when they have ended. */
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

  /** When a bundle that is made now is removed, and has it removed then. */
  private expiry(id: string): number {
    const milliseconds = budgets.caseBundleHours.max * 3_600_000;
    setTimeout(() => {
      const found = this.kept.get(id);
      if (found !== undefined) void this.forget(found);
    }, milliseconds).unref();
    return this.options.clock.now() + milliseconds;
  }

  /** What is kept of somebody is bounded: the oldest that has ended gives way. */
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
