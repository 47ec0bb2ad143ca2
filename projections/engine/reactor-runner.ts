import type { RecordedEvent } from '../../src/kernel/event.js';
import { FencedError, type ModelStore } from '../../src/read-store/port.js';
import { CheckpointSettler } from './checkpoint-settler.js';
import { decodedPages } from './decoded-pages.js';
import { HeldLease, type LeaseTerms } from './held-lease.js';
import type { Logger } from './logger.js';
import { Backoff, pause } from './pause.js';
import { PoisonEventError, reasonOf } from './poison-event.js';
import { PositionGate } from './position-gate.js';
import type { EngineStores } from './projection-runner.js';
import type { Reactor } from './reactor.js';
import { ReactorCheckpoint, storedPosition } from './reactor-checkpoint.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** Options of a {@link ReactorRunner}. */
export interface ReactorRunnerOptions {
  /** Names this process to the others: see {@link HeldLease}. */
  readonly holder: string;
  readonly logger: Logger;
  readonly timing?: EngineTiming;
}

const POLL_MILLISECONDS = 15;

/** Runs a reactor wherever its lease is held, one event after the other, from its checkpoint on. */
export class ReactorRunner {
  private readonly timing: EngineTiming;
  private readonly gate = new PositionGate();
  private store: ModelStore | null = null;
  private isLeading = false;
  private isPolling = false;

  constructor(
    private readonly stores: EngineStores,
    private readonly reactor: Reactor,
    private readonly options: ReactorRunnerOptions,
  ) {
    this.timing = options.timing ?? engineTiming;
  }

  get name(): string {
    return this.reactor.name;
  }

  /** How far the reactor has come, in whichever process; null: nowhere. */
  async storedPosition(): Promise<number | null> {
    return storedPosition(await this.openStore());
  }

  /** Whether everything up to this position was acted on. */
  passed(position: number): boolean {
    return this.gate.hasPassed(position);
  }

  /**
   * Waits until everything up to a position was acted on, here or in the process that runs the reactor now.
   *
   * @returns false when that took too long
   */
  waitUntil(position: number, milliseconds: number): Promise<boolean> {
    const passed = this.gate.waitFor(position, milliseconds);
    if (!this.isLeading) void this.poll();
    return passed;
  }

  /**
   * Makes sure that the reactor has a checkpoint, for whichever process will run it: to be called before this process appends
   * anything that it is to act on.
   */
  async begin(): Promise<void> {
    const { log, readStore } = this.stores;
    const { name, holder, milliseconds } = this.terms;
    const store = await this.openStore();
    while ((await store.checkpoint()).position === null) {
      const lease = await readStore.acquireLease(name, holder, milliseconds);
      if (lease === null) {
        await pause(POLL_MILLISECONDS, new AbortController().signal);
        continue;
      }
      await new ReactorCheckpoint(store, lease.token).begin(log);
      await readStore.releaseLease(name, holder);
    }
  }

  /** Runs until the signal is aborted; then the lease is given back. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { readStore } = this.stores;
    while (!signal.aborted) {
      const lease = await HeldLease.obtain({ readStore, logger: this.options.logger }, this.terms, signal);
      if (lease === null) return;
      this.isLeading = true;
      await this.lead(lease, signal);
      this.isLeading = false;
      await lease.release();
    }
  }

  private get terms(): LeaseTerms {
    const { holder } = this.options;
    return { name: `reactor:${this.reactor.name}`, holder, milliseconds: this.timing.leaseMilliseconds };
  }

  private async lead(lease: HeldLease, ending: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ending, lease.lost]);
    const backoff = new Backoff(this.timing.retryPoison);
    while (!signal.aborted) {
      try {
        await this.follow(lease.token, { signal, backoff });
      } catch (error) {
        if (error instanceof FencedError || signal.aborted) return;
        const event = error instanceof PoisonEventError ? error.event : null;
        const fields = { reactor: this.reactor.name, event, reason: reasonOf(error), err: error };
        this.options.logger.error(fields, 'A reactor failed and tries again');
        await pause(backoff.next(), signal);
      }
    }
  }

  private async follow(
    fencingToken: number,
    { signal, backoff }: { readonly signal: AbortSignal; readonly backoff: Backoff },
  ): Promise<void> {
    const checkpoint = new ReactorCheckpoint(await this.openStore(), fencingToken);
    const after = await checkpoint.begin(this.stores.log);
    if (after !== null) this.gate.advance(after);
    const { reactorPageSize: pageSize, reactorCheckpointMilliseconds } = this.timing;
    const settler = new CheckpointSettler(checkpoint, reactorCheckpointMilliseconds);
    try {
      const { on, concerns, clearOnly } = this.reactor;
      const part = { after, types: Object.keys(on), pageSize, concerns, clearOnly, signal };
      for await (const page of decodedPages(this.stores.log, part)) {
        await settler.working();
        for (const event of page.events) {
          if (signal.aborted) return;
          await this.act(event);
          backoff.reset();
          checkpoint.pass(event.position);
          this.gate.advance(event.position);
        }
        if (page.poison) throw page.poison;
        checkpoint.pass(page.position);
        this.gate.advance(page.position);
        await settler.idle();
      }
    } finally {
      await settler.stop();
    }
  }

  private async act(event: RecordedEvent): Promise<void> {
    try {
      await this.reactor.on[event.type]?.(event);
    } catch (error) {
      throw new PoisonEventError(event, error);
    }
  }

  private async openStore(): Promise<ModelStore> {
    this.store ??= await this.stores.readStore.openModel(`reactor-${this.reactor.name}`, 1, []);
    return this.store;
  }

  /** While another process runs the reactor its checkpoint is looked up, as long as anybody waits. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const forever = new AbortController().signal;
    while (this.gate.awaited && !this.isLeading) {
      // A store that cannot answer now leaves the waiter to its time limit.
      const position = await this.openStore()
        .then(storedPosition)
        .catch(() => null);
      if (position !== null) this.gate.advance(position);
      await pause(POLL_MILLISECONDS, forever);
    }
    this.isPolling = false;
  }
}
