import { asApplicationError } from '../../http/as-application-error.js';
import type { Clock } from '../../kernel/clock.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';
import { withQueryTimeout } from '../../runtime/with-timeout.js';
import type { CaseTaskRun } from '../cases/tasks/case-task.js';
import { TaskFolder } from './task-folder.js';

/** The status of a task. Times are in milliseconds since the UNIX epoch. */
export interface TaskStatus<Result> {
  readonly state: 'running' | 'done' | 'failed';
  /** Progress, 0 to 1. */
  readonly progress: number;
  readonly began: number;
  /** Null: it is still running. */
  readonly ended: number | null;
  /** Null: it is not complete, or it failed. */
  readonly result: Result | null;
  /** Why it failed; null: it has not failed. */
  readonly error: ApplicationError | null;
  /** When the file that it made expires; null: it made none. */
  readonly expires: number | null;
}

/** Options of {@link TaskRegistry}. Times are in milliseconds. */
interface TaskRegistryOptions {
  readonly clock: Clock;
  /** Folder in which files are made and kept. Files that an earlier process left there are removed. Null: none are made. */
  readonly folder: string | null;
  readonly timeout: number;
  /** How long a task that made a file is kept, with the file. */
  readonly lifetime: number;
  /** How many tasks may run at once. */
  readonly atOnce: number;
}

/** A task to begin. */
interface NewTask<About, Result> {
  readonly about: About;
  /** Unique; null: the task makes no file. */
  readonly fileName: string | null;
  /** Called after the task was accepted. Returns the task to run; the caller of `begin` receives its errors. */
  readonly prepare: () => Promise<(run: CaseTaskRun) => Promise<Result>>;
}

/** A task that runs or has ended. */
export interface KeptTask<About, Result> {
  readonly about: About;
  readonly status: TaskStatus<Result>;
}

interface Kept<About, Result> extends KeptTask<About, Result> {
  status: TaskStatus<Result>;
  readonly fileName: string | null;
  readonly stopping: AbortController;
  done: Promise<void>;
  timer: NodeJS.Timeout | null;
}

/** Background tasks with their results and files. They are kept in memory until they expire or the process ends. */
export class TaskRegistry<Key, About, Result> {
  readonly folder: TaskFolder;
  private readonly kept = new Map<Key, Kept<About, Result>>();
  private isClosed = false;

  constructor(private readonly options: TaskRegistryOptions) {
    this.folder = new TaskFolder(options.folder);
  }

  /** All tasks, in the order in which they began. */
  all(): readonly (readonly [Key, KeptTask<About, Result>])[] {
    return [...this.kept];
  }

  get(key: Key): KeptTask<About, Result> | null {
    return this.kept.get(key) ?? null;
  }

  /** @throws ApplicationError `unavailable` when too many tasks run, or when the process ends */
  assertRoom(): void {
    const running = [...this.kept.values()].filter(({ status }) => status.state === 'running').length;
    if (this.isClosed || running >= this.options.atOnce) throw failure('unavailable');
  }

  /** Begins a task, for which there must be room. It replaces the task with the same key, which must have ended. */
  async begin(key: Key, { about, fileName, prepare }: NewTask<About, Result>): Promise<void> {
    const former = this.kept.get(key);
    const began = this.options.clock.now();
    const none = { ended: null, result: null, error: null, expires: null };
    const own: Kept<About, Result> = {
      about,
      status: { state: 'running', progress: 0, began, ...none },
      fileName,
      stopping: new AbortController(),
      done: Promise.resolve(),
      timer: null,
    };
    // From here on the task occupies its place, so another request cannot take it while it is prepared.
    this.kept.set(key, own);
    const prepared = former === undefined ? prepare() : this.remove(former).then(prepare);
    own.done = prepared.then((perform) => this.perform(key, own, perform)).catch(() => undefined);
    try {
      await prepared;
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }

  /** Waits until a task has ended, and returns its last status; null: there is no such task. */
  async ended(key: Key): Promise<TaskStatus<Result> | null> {
    const found = this.kept.get(key);
    await found?.done;
    return found?.status ?? null;
  }

  /** The path of the file that a task made; null: there is none. A task whose file has expired is removed. */
  async file(key: Key): Promise<string | null> {
    const found = this.kept.get(key);
    if (found === undefined) return null;
    const { fileName, status } = found;
    if (fileName === null || status.expires === null) return null;
    if (this.options.clock.now() < status.expires) return this.folder.path(fileName);
    await this.drop(key);
    return null;
  }

  /** Aborts a task if it is running, and removes it with its file. Does nothing if there is none. */
  async drop(key: Key): Promise<void> {
    const own = this.kept.get(key);
    if (own === undefined) return;
    own.stopping.abort();
    await own.done;
    if (this.kept.get(key) === own) this.kept.delete(key);
    await this.remove(own);
  }

  /** Aborts all tasks; resolves when they have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { stopping } of this.kept.values()) stopping.abort();
    await Promise.all([...this.kept.values()].map(({ done }) => done));
    await this.folder.close();
  }

  private async perform(
    key: Key,
    own: Kept<About, Result>,
    perform: (run: CaseTaskRun) => Promise<Result>,
  ): Promise<void> {
    const { clock, timeout, lifetime } = this.options;
    const change = (change: Partial<TaskStatus<Result>>): void =>
      void (own.status = { ...own.status, ...change });
    const report = (progress: number): void => change({ progress });
    try {
      const ending = { stopped: own.stopping.signal, timeout };
      const result = await withQueryTimeout(ending, (signal) => perform({ report, signal }));
      const ended = clock.now();
      const hasFile = own.fileName !== null;
      if (hasFile) own.timer = setTimeout(() => void this.drop(key), lifetime).unref();
      change({ state: 'done', progress: 1, result, ended, expires: hasFile ? ended + lifetime : null });
    } catch (thrown) {
      await this.remove(own);
      change({ state: 'failed', error: asApplicationError(thrown), ended: clock.now() });
    }
  }

  private async remove({ fileName, timer }: Kept<About, Result>): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    if (fileName !== null) await this.folder.remove(fileName);
  }
}
