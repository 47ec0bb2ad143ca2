import { randomUUID } from 'node:crypto';
import { budgets } from '../../../kernel/budgets.js';
import type { Clock } from '../../../kernel/clock.js';
import { failure } from '../../../kernel/errors.js';
import { TaskRegistry, type KeptTask, type TaskStatus } from '../../tasks/task-registry.js';
import type { CaseTaskInput, CaseTaskKind, CaseTaskResult, CaseTaskRun, RunCaseTask } from './case-task.js';

/** The status of a task. */
export interface CaseTask extends TaskStatus<CaseTaskResult> {
  readonly id: string;
  readonly caseId: number;
  readonly kind: CaseTaskKind;
}

/** Who owns a task: an account, or the operator on the command line. */
type TaskOwner = number | 'operator';

/** What a task is about. */
interface AboutTask {
  readonly owner: TaskOwner;
  readonly caseId: number;
  readonly kind: CaseTaskKind;
}

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

/** A task that somebody requests. */
interface NewCaseTask {
  readonly input: CaseTaskInput;
  /** Called after the task was accepted and before it begins; the caller of `begin` receives its errors. */
  readonly note: () => Promise<void>;
  /** Called with the progress, 0 to 1, while the task runs. */
  readonly onProgress?: (progress: number) => void;
}

type Kept = KeptTask<AboutTask, CaseTaskResult>;

/**
 * The tasks about cases and their results: one running task for each person, and few for everybody together. They are
 * kept in memory until the process ends.
 */
export class CaseTasks {
  private readonly tasks: TaskRegistry<string, AboutTask, CaseTaskResult>;

  constructor(private readonly options: CaseTasksOptions) {
    const { clock, folder, timeout = budgets.caseTaskMinutes.max * 60_000 } = options;
    this.tasks = new TaskRegistry({
      clock,
      folder,
      timeout,
      lifetime: budgets.caseBundleHours.max * 3_600_000,
      atOnce: budgets.caseTasks.max,
    });
  }

  /**
   * Begins a task.
   *
   * @throws ApplicationError `caseTaskRuns` while another task of the same owner runs; `unavailable` when too many
   * tasks run
   */
  async begin(owner: TaskOwner, caseId: number, asked: NewCaseTask): Promise<CaseTask> {
    const running = this.of(owner).filter(([, { status }]) => status.state === 'running');
    if (running.length >= budgets.caseTasksOfAccount.max) throw failure('caseTaskRuns');
    this.tasks.assertRoom();
    const id = randomUUID();
    const { kind } = asked.input;
    const fileName = kind === 'export' ? `${id}.zip` : null;
    await this.tasks.begin(id, {
      about: { owner, caseId, kind },
      fileName,
      prepare: async () => {
        await asked.note();
        return (run) => this.perform(asked, fileName, run);
      },
    });
    await this.forgetOldest(owner);
    return this.get(owner, id);
  }

  /** The tasks of an owner about a case, newest first. */
  all(owner: TaskOwner, caseId: number): readonly CaseTask[] {
    const own = this.of(owner).filter(([, { about }]) => about.caseId === caseId);
    return own.map(([id, kept]) => taskOf(id, kept)).reverse();
  }

  /** @throws ApplicationError `noSuchCaseTask`, also for somebody else's task */
  get(owner: TaskOwner, id: string): CaseTask {
    return taskOf(id, this.find(owner, id));
  }

  /**
   * The path of the bundle that a task made.
   *
   * @throws ApplicationError `noSuchCaseTask`, also when the bundle has expired; `caseTaskUnfinished`
   */
  async bundle(owner: TaskOwner, id: string): Promise<string> {
    const { status } = this.find(owner, id);
    if (status.expires === null) throw failure('caseTaskUnfinished');
    const file = await this.tasks.file(id);
    if (file === null) throw failure('noSuchCaseTask');
    return file;
  }

  /** Waits until a task has ended, and returns it. @throws as {@link get} */
  async ended(owner: TaskOwner, id: string): Promise<CaseTask> {
    const { about } = this.find(owner, id);
    const status = await this.tasks.ended(id);
    return taskOf(id, { about, status: status! });
  }

  /** Aborts a task if it is running, and forgets its result. @throws as {@link get} */
  async drop(owner: TaskOwner, id: string): Promise<void> {
    this.find(owner, id);
    await this.tasks.drop(id);
  }

  /** Aborts all tasks; resolves when they have ended. */
  close(): Promise<void> {
    return this.tasks.close();
  }

  private find(owner: TaskOwner, id: string): Kept {
    const found = this.tasks.get(id);
    if (found?.about.owner !== owner) throw failure('noSuchCaseTask');
    return found;
  }

  private of(owner: TaskOwner): (readonly [string, Kept])[] {
    return this.tasks.all().filter(([, { about }]) => about.owner === owner);
  }

  private async perform(
    { input, onProgress }: NewCaseTask,
    fileName: string | null,
    { report, signal }: CaseTaskRun,
  ): Promise<CaseTaskResult> {
    const { folder } = this.tasks;
    const reportBoth = (progress: number): void => {
      void report(progress);
      onProgress?.(progress);
    };
    if (input.kind !== 'export' || fileName === null)
      return this.options.run(input, { report: reportBoth, signal });
    await folder.make();
    return this.options.run({ ...input, file: folder.path(fileName) }, { report: reportBoth, signal });
  }

  /** Removes the oldest task that has ended, because the number of tasks kept for each owner is limited. */
  private async forgetOldest(owner: TaskOwner): Promise<void> {
    const own = this.of(owner);
    const surplus = own.length - budgets.caseTasksKept.max;
    const ended = own.filter(([, { status }]) => status.state !== 'running');
    for (const [id] of ended.slice(0, Math.max(0, surplus))) await this.tasks.drop(id);
  }
}

function taskOf(id: string, { about: { caseId, kind }, status }: Kept): CaseTask {
  return { id, caseId, kind, ...status };
}
