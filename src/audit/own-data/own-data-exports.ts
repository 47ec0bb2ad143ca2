import { randomUUID } from 'node:crypto';
import { asApplicationError } from '../../http/as-application-error.js';
import { RateLimiter, RateLimitError } from '../../http/limits/rate-limiter.js';
import { budgets } from '../../kernel/budgets.js';
import type { Clock } from '../../kernel/clock.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';
import { runTask, TaskFolder } from '../task-folder.js';
import type { CaseTaskRun } from '../cases/tasks/case-task.js';
import type { OwnDataInput, OwnDataResult } from './own-data-task.js';

/** The status of a copy of somebody's own data. Times are in milliseconds since the UNIX epoch. */
export interface OwnDataExport {
  readonly state: 'running' | 'done' | 'failed';
  /** Progress, 0 to 1. */
  readonly progress: number;
  readonly began: number;
  /** Null: it is still being made. */
  readonly ended: number | null;
  /** Null: it is not complete, or it failed. */
  readonly result: OwnDataResult | null;
  /** Why it failed; null: it has not failed. */
  readonly error: ApplicationError | null;
  /** When it expires; null: it is not complete. */
  readonly expires: number | null;
}

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

interface Kept {
  state: OwnDataExport;
  /** Unique, so that removing one copy never affects the next one. */
  readonly fileName: string;
  readonly stopping: AbortController;
  done: Promise<void>;
  timer: NodeJS.Timeout | null;
}

/** The copies of their own data that people asked for: one for each person. They are kept until the process ends. */
export class OwnDataExports {
  private readonly kept = new Map<number, Kept>();
  private readonly ofDay: RateLimiter;
  private readonly folder: TaskFolder;
  private isClosed = false;

  constructor(private readonly options: OwnDataExportsOptions) {
    const limit = { limit: budgets.ownDataOfDay.max, milliseconds: 86_400_000 };
    this.ofDay = new RateLimiter(limit, options.clock);
    this.folder = new TaskFolder(options.folder);
  }

  /**
   * Begins a copy, which replaces the previous one.
   *
   * @param input returns what the copy is made from; called once the copy is accepted, and its errors reach the caller
   * @throws ApplicationError `ownDataRuns`; `unavailable` when too many are being made; RateLimitError;
   * `taskResultsNotInLog` when no copies are made
   */
  async begin(userId: number, input: () => Promise<Omit<OwnDataInput, 'file'>>): Promise<OwnDataExport> {
    const running = [...this.kept.values()].filter(({ state }) => state.state === 'running').length;
    if (this.kept.get(userId)?.state.state === 'running') throw failure('ownDataRuns');
    if (this.isClosed || running >= budgets.ownDataAtOnce.max) throw failure('unavailable');
    const fileName = `${userId}-${randomUUID()}.zip`;
    const file = this.folder.path(fileName);
    const quota = this.ofDay.take(userId);
    if (!quota.allowed) throw new RateLimitError(quota);
    const former = this.kept.get(userId);
    const own = this.keep(userId, fileName);
    // From here on the copy occupies its place, so another request cannot take it meanwhile.
    const read = this.replace(former).then(input);
    own.done = read.then((given) => this.perform(own, { ...given, file })).catch(() => undefined);
    try {
      await read;
    } catch (error) {
      this.kept.delete(userId);
      throw error;
    }
    return own.state;
  }

  /** The last copy of a person; null: none is kept. */
  of(userId: number): OwnDataExport | null {
    return this.kept.get(userId)?.state ?? null;
  }

  /** The path of a person's copy. @throws ApplicationError `noOwnData`, `ownDataUnfinished` */
  async file(userId: number): Promise<string> {
    const { state, fileName } = this.kept.get(userId) ?? noExport();
    if (state.expires === null) throw failure('ownDataUnfinished');
    if (this.options.clock.now() < state.expires) return this.folder.path(fileName);
    await this.drop(userId);
    return noExport();
  }

  /** Aborts and removes a person's copy, if there is one. */
  async drop(userId: number): Promise<void> {
    const own = this.kept.get(userId);
    if (own === undefined) return;
    own.stopping.abort();
    await own.done;
    if (this.kept.get(userId) === own) this.kept.delete(userId);
    await this.remove(own);
  }

  /** Aborts all copies; resolves when they have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { stopping } of this.kept.values()) stopping.abort();
    await Promise.all([...this.kept.values()].map(({ done }) => done));
    await this.folder.close();
  }

  private keep(userId: number, fileName: string): Kept {
    const state: OwnDataExport = {
      state: 'running',
      progress: 0,
      began: this.options.clock.now(),
      ended: null,
      result: null,
      error: null,
      expires: null,
    };
    const own: Kept = {
      state,
      fileName,
      stopping: new AbortController(),
      done: Promise.resolve(),
      timer: null,
    };
    this.kept.set(userId, own);
    return own;
  }

  private async perform(own: Kept, input: OwnDataInput): Promise<void> {
    const { run, clock, timeout = budgets.ownDataMinutes.max * 60_000 } = this.options;
    const change = (change: Partial<OwnDataExport>): void => void (own.state = { ...own.state, ...change });
    try {
      const ending = { stopped: own.stopping.signal, timeout };
      const report = (progress: number): void => change({ progress });
      const result = await runTask(ending, (signal) => run(input, { report, signal }));
      const milliseconds = budgets.ownDataHours.max * 3_600_000;
      own.timer = setTimeout(() => void this.drop(input.userId), milliseconds).unref();
      const ended = clock.now();
      change({ state: 'done', progress: 1, result, ended, expires: ended + milliseconds });
    } catch (thrown) {
      await this.remove(own);
      change({ state: 'failed', error: asApplicationError(thrown), ended: clock.now() });
    }
  }

  private async replace(former: Kept | undefined): Promise<void> {
    await this.folder.make();
    if (former !== undefined) await this.remove(former);
  }

  private async remove({ fileName, timer }: Kept): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    await this.folder.remove(fileName);
  }
}

function noExport(): never {
  throw failure('noOwnData');
}
