import { budgets } from '../../kernel/budgets.js';
import type { Clock } from '../../kernel/clock.js';
import { failure, OperatorError } from '../../kernel/errors.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { VerificationProgress } from '../verification/verify-stores.js';
import type { RunProofTask, ProofResult, ProofTask } from './proof-task.js';

/** The status of a verification or proof. */
export interface ProofState {
  /** Increases with every task of the process. */
  readonly id: number;
  readonly task: ProofTask;
  /** The account that began it. */
  readonly startedBy: number;
  /** Milliseconds since the UNIX epoch. */
  readonly startedAt: number;
  /** Null: it is still running. */
  readonly endedAt: number | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Null: nothing was read yet. */
  readonly progress: VerificationProgress | null;
  /** Null: it is not complete, or it failed. */
  readonly result: ProofResult | null;
  /** Why it failed, as a sentence; null: it has not failed. */
  readonly reason: string | null;
}

/** Verifies the log and makes proofs in the background: one at a time in a process, which remembers the last one. */
export class ProofTasks {
  private last: ProofState | null = null;
  private ending: AbortController | null = null;
  private ended: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly perform: RunProofTask,
    private readonly clock: Clock,
    private readonly timeout: number = budgets.proofSeconds.max * 1000,
  ) {}

  /** The one in progress, or else the last one; null: there was none since the process started. */
  get current(): ProofState | null {
    return this.last;
  }

  /**
   * Begins a verification or proof; {@link current} shows its progress.
   *
   * @param note called after the request was accepted and before the task begins
   * @throws ApplicationError `proofRunning`; `unavailable` when the server is stopping
   */
  async begin(task: ProofTask, startedBy: number, note: () => Promise<void>): Promise<ProofState> {
    if (this.isClosed) throw failure('unavailable');
    if (this.ending !== null) throw failure('proofRunning');
    const ending = new AbortController();
    this.ending = ending;
    try {
      await note();
    } catch (error) {
      this.ending = null;
      throw error;
    }
    const started: ProofState = {
      id: (this.last?.id ?? 0) + 1,
      task,
      startedBy,
      startedAt: this.clock.now(),
      endedAt: null,
      state: 'running',
      progress: null,
      result: null,
      reason: null,
    };
    this.last = started;
    this.ended = this.follow(task, ending);
    return started;
  }

  /** Aborts the task in progress, if any. Another one can begin when it has really ended. */
  async cancel(): Promise<void> {
    this.ending?.abort();
    await this.ended;
  }

  /** Aborts the task in progress, and accepts no more. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.cancel();
  }

  private async follow(task: ProofTask, ending: AbortController): Promise<void> {
    const onProgress = (progress: VerificationProgress): void => this.change({ progress });
    try {
      await withTimeout({ stopped: ending.signal, timeout: this.timeout }, async (signal, late) => {
        try {
          const result = await this.perform(task, { signal, onProgress });
          this.change({ state: 'done', result });
        } catch (error) {
          if (ending.signal.aborted) this.change({ state: 'cancelled' });
          else this.change({ state: 'failed', reason: late.aborted ? TOO_LONG : reasonOf(error) });
        }
      });
    } finally {
      this.change({ endedAt: this.clock.now() });
      this.ending = null;
    }
  }

  private change(changed: Partial<ProofState>): void {
    if (this.last !== null) this.last = { ...this.last, ...changed };
  }
}

const TOO_LONG = 'It took too long: the command line has no limit.';

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return `${error.message.replace(/\.$/, '')}.`;
  return 'It ended with an error, which the server has logged.';
}
