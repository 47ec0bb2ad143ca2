import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Job } from './background-work.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { pause } from './pause.js';
import { reasonOf } from './poison-event.js';
import { engineTiming } from './timing.js';

/** Options of a {@link JobRunner}. */
interface JobRunnerOptions {
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  /** Whether the organization is currently deactivated: see {@link Job.waitsWhileClosed}. */
  readonly isClosed: () => boolean;
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
        if (job.waitsWhileClosed !== true || !this.options.isClosed()) await job.perform();
      } catch (error) {
        const fields = { job: job.name, reason: reasonOf(error), err: error };
        this.options.logger.error(fields, 'A job failed and is tried again');
      }
      await pause(job.everyMilliseconds, signal);
    }
  }
}
