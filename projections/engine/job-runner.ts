import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Job } from './background-work.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { pause } from './pause.js';
import { isTemporary, reasonOf } from './poison-event.js';
import { engineTiming } from './timing.js';

/** Options of a {@link JobRunner}. */
interface JobRunnerOptions {
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  /** Whether the organization is currently deactivated: see {@link Job.pausesWhileDeactivated}. */
  readonly isDeactivated: () => boolean;
  readonly leaseMilliseconds?: number;
}

/** Performs a job in the process that holds its lease. */
export class JobRunner {
  constructor(
    private readonly readStore: ReadStore,
    private readonly job: Job,
    private readonly options: JobRunnerOptions,
  ) {}

  /** Runs until the signal is aborted, and then releases the lease. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { processName, logger, leaseMilliseconds = engineTiming.leaseMilliseconds } = this.options;
    // The name is stored: processes of an older version use it too.
    const terms = { name: `duty:${this.job.name}`, owner: processName, milliseconds: leaseMilliseconds };
    while (!signal.aborted) {
      const lease = await HeldLease.obtain({ readStore: this.readStore, logger }, terms, signal);
      if (lease === null) return;
      await this.lead(AbortSignal.any([signal, lease.lost]));
      await lease.release();
    }
  }

  private async lead(signal: AbortSignal): Promise<void> {
    const { job } = this;
    while (!signal.aborted) {
      try {
        if (job.pausesWhileDeactivated !== true || !this.options.isDeactivated()) await job.perform();
      } catch (error) {
        this.noteFailure(error);
      }
      await pause(job.everyMilliseconds, signal);
    }
  }

  private noteFailure(error: unknown): void {
    const { logger } = this.options;
    const fields = { job: this.job.name, reason: reasonOf(error), err: error };
    if (isTemporary(error)) logger.warn(fields, 'A job waits for a store or a model');
    else logger.error(fields, 'A job failed and is tried again');
  }
}
