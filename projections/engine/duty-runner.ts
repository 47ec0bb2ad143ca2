import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Duty } from './duty.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { pause } from './pause.js';
import { reasonOf } from './poison-event.js';
import { engineTiming } from './timing.js';

/** Options of a {@link DutyRunner}. */
export interface DutyRunnerOptions {
  /** Names this process to the others: see {@link HeldLease}. */
  readonly holder: string;
  readonly logger: Logger;
  readonly leaseMilliseconds?: number;
}

/** Performs a duty wherever its lease is held. */
export class DutyRunner {
  constructor(
    private readonly readStore: ReadStore,
    private readonly duty: Duty,
    private readonly options: DutyRunnerOptions,
  ) {}

  /** Runs until the signal is aborted; then the lease is given back. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { holder, logger, leaseMilliseconds = engineTiming.leaseMilliseconds } = this.options;
    const terms = { name: `duty:${this.duty.name}`, holder, milliseconds: leaseMilliseconds };
    while (!signal.aborted) {
      const lease = await HeldLease.obtain({ readStore: this.readStore, logger }, terms, signal);
      if (lease === null) return;
      await this.lead(AbortSignal.any([signal, lease.lost]));
      await lease.release();
    }
  }

  private async lead(signal: AbortSignal): Promise<void> {
    const { duty } = this;
    while (!signal.aborted) {
      try {
        await duty.perform();
      } catch (error) {
        const fields = { duty: duty.name, reason: reasonOf(error), err: error };
        this.options.logger.error(fields, 'A duty failed and is tried again');
      }
      await pause(duty.everyMilliseconds, signal);
    }
  }
}
