import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Logger } from './logger.js';
import { pause } from './pause.js';
import { reasonOf } from './poison-event.js';

/** The lease to take, and its parameters. */
export interface LeaseTerms {
  readonly name: string;
  /** Names this process. A process that restarts under the same name need not wait for its own lease to expire. */
  readonly owner: string;
  /** Milliseconds after which the lease expires unless it is renewed. */
  readonly milliseconds: number;
}

/** Options with which a lease is requested and renewed. */
interface LeaseServices {
  readonly readStore: ReadStore;
  readonly logger: Logger;
}

/** A lease that is renewed in the background until it is released or lost. */
export class HeldLease {
  readonly token: number;
  private validUntil: number;
  private readonly losing = new AbortController();
  private renewal: NodeJS.Timeout | undefined;
  private renewing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly services: LeaseServices,
    private readonly terms: LeaseTerms,
    { token, validUntil }: { readonly token: number; readonly validUntil: number },
  ) {
    this.token = token;
    this.validUntil = validUntil;
    this.scheduleRenewal();
  }

  /** Waits until the lease is free and takes it; null: the signal was aborted first. */
  static async obtain(
    services: LeaseServices,
    terms: LeaseTerms,
    signal: AbortSignal,
  ): Promise<HeldLease | null> {
    const { readStore, logger } = services;
    while (!signal.aborted) {
      const asked = performance.now();
      try {
        const lease = await readStore.acquireLease(terms.name, terms.owner, terms.milliseconds);
        const validUntil = asked + terms.milliseconds;
        if (lease) return new HeldLease(services, terms, { token: lease.token, validUntil });
      } catch (error) {
        logger.warn({ lease: terms.name, reason: reasonOf(error) }, 'The lease cannot be asked for now');
      }
      await pause(terms.milliseconds / 10, signal);
    }
    return null;
  }

  /** Aborted when another process may have taken the lease: nothing must be written after that. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** Stops renewing, and releases the lease. */
  async release(): Promise<void> {
    clearTimeout(this.renewal);
    await this.renewing;
    clearTimeout(this.renewal);
    try {
      await this.services.readStore.releaseLease(this.terms.name, this.terms.owner);
    } catch (error) {
      // The lease will expire.
      this.services.logger.warn(
        { lease: this.terms.name, reason: reasonOf(error) },
        'The lease could not be given back',
      );
    }
  }

  /** At times that all leases of a process share, so that stores can renew them together. */
  private scheduleRenewal(): void {
    const interval = this.terms.milliseconds / 3;
    this.renewal = setTimeout(
      () => {
        this.renewing = this.renew();
      },
      interval - (performance.now() % interval),
    );
    this.renewal.unref();
  }

  private async renew(): Promise<void> {
    const { name, owner, milliseconds } = this.terms;
    const asked = performance.now();
    try {
      const lease = await this.services.readStore.acquireLease(name, owner, milliseconds);
      if (lease?.token !== this.token) return this.losing.abort();
      this.validUntil = asked + milliseconds;
    } catch (error) {
      this.services.logger.warn({ lease: name, reason: reasonOf(error) }, 'The lease could not be renewed');
      if (performance.now() > this.validUntil) return this.losing.abort();
    }
    this.scheduleRenewal();
  }
}
