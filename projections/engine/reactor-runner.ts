import type { RecordedEvent } from '../../src/kernel/event.js';
import { FencedError, type ModelStore } from '../../src/stores/read-store/port.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import { decodedEvent, decodedPages } from './decoded-pages.js';
import { HeldLease, type LeaseTerms } from './held-lease.js';
import type { Logger } from './logger.js';
import { Backoff, pause } from './pause.js';
import { discardedIds, OperatorSettings, type DiscardedEvent } from './operator-settings.js';
import { isTemporary, MissingEventError, PoisonEventError, reasonOf } from './poison-event.js';
import type { Stoppage } from './progress.js';
import type { EngineStores } from './projection-runner.js';
import type { Reactor } from './reactor.js';
import { ReactorAttempt } from './reactor-attempt.js';
import { commandsOf } from './reactor-partitions.js';
import { ReactorCheckpoint, storedPosition } from './reactor-checkpoint.js';
import { POLL_MILLISECONDS, ReactorPosition } from './reactor-position.js';
import { reactorTitle, type ReactorStatus } from './reactor-status.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** Options of a {@link ReactorRunner}. */
interface ReactorRunnerOptions {
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  readonly timing?: EngineTiming;
}

/** Runs a reactor in the process that holds its lease, one event after the other, from its checkpoint on. */
export class ReactorRunner {
  private readonly timing: EngineTiming;
  private readonly position = new ReactorPosition({
    isLeading: () => this.isLeading,
    stored: () => this.storedPosition(),
  });
  private store: ModelStore | null = null;
  private isLeading = false;
  private stopped: { readonly stoppage: Stoppage; readonly since: number } | null = null;
  private resting = new AbortController();
  private readonly settings: OperatorSettings;

  constructor(
    private readonly stores: EngineStores,
    private readonly reactor: Reactor,
    private readonly options: ReactorRunnerOptions,
  ) {
    this.timing = options.timing ?? engineTiming;
    this.settings = new OperatorSettings(stores.readStore);
  }

  get name(): string {
    return this.reactor.name;
  }

  /** The stored checkpoint, whichever process wrote it; null: there is none. */
  async storedPosition(): Promise<number | null> {
    return storedPosition(await this.openStore());
  }

  /** The reactor's status. */
  status(): ReactorStatus {
    const { reactor, stopped, isLeading } = this;
    const stoppage = stopped?.stoppage ?? null;
    const halted = stoppage?.event ? 'halted' : 'unavailable';
    return {
      reactor: reactor.name,
      state: !isLeading ? 'standby' : stoppage === null ? 'acting' : halted,
      position: this.position.known,
      types: Object.keys(reactor.on),
      stoppedMilliseconds: stopped === null ? 0 : performance.now() - stopped.since,
      stoppage,
    };
  }

  /** Retries a failed event now instead of after a delay. */
  retry(): void {
    this.resting.abort();
  }

  /** Discards an event: it is skipped, also after a restart. */
  async discard(event: DiscardedEvent): Promise<void> {
    await this.settings.discard(this.terms.name, event, this.options.processName);
    this.retry();
  }

  /** The discarded events. */
  async discarded(): Promise<readonly DiscardedEvent[]> {
    return (await this.settings.of(this.terms.name)).discarded;
  }

  /**
   * Handles a discarded event now, perhaps after events that follow it in the log.
   *
   * @throws PoisonEventError when it still fails, or MissingEventError when it is not where it was: then it stays discarded
   */
  async restore({ id, position }: DiscardedEvent): Promise<void> {
    const { log } = this.stores;
    const stored = await log.store.eventAt(position);
    if (stored?.id !== id) throw new MissingEventError(`The log has no event ${id} at position ${position}`);
    const event = await decodedEvent(log, stored, this.reactor);
    const attempt = await this.attempt();
    for (const error of (await attempt.actOn([event])).values()) throw error;
    await this.settings.restore(this.terms.name, new Set([id]), this.options.processName);
  }

  /**
   * Waits until everything up to a position was handled, in this process or in the one that runs the reactor.
   *
   * @returns false when the timeout expired, or after {@link giveUp}
   */
  waitUntil(position: number, milliseconds: number): Promise<boolean> {
    return this.position.waitUntil(position, milliseconds);
  }

  /** Ends all waits of {@link waitUntil} without success. */
  giveUp(): void {
    this.position.giveUp();
  }

  /**
   * Creates the reactor's checkpoint, whichever process will run it. It must be called before this process appends anything that the
   * reactor must handle.
   */
  async begin(): Promise<void> {
    const { log, readStore } = this.stores;
    const { name, owner, milliseconds } = this.terms;
    const store = await this.openStore();
    while ((await store.checkpoint()).position === null) {
      const lease = await readStore.acquireLease(name, owner, milliseconds);
      if (lease === null) {
        await pause(POLL_MILLISECONDS, new AbortController().signal);
        continue;
      }
      await new ReactorCheckpoint(store, lease.token).begin(log);
      await readStore.releaseLease(name, owner);
    }
  }

  /** Runs until the signal is aborted, and then releases the lease. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { readStore } = this.stores;
    while (!signal.aborted) {
      const lease = await HeldLease.obtain({ readStore, logger: this.options.logger }, this.terms, signal);
      if (lease === null) return;
      this.isLeading = true;
      await this.lead(lease, signal);
      this.isLeading = false;
      this.stopped = null;
      await lease.release();
    }
  }

  private get terms(): LeaseTerms {
    const { processName } = this.options;
    return {
      name: reactorTitle(this.reactor.name),
      owner: processName,
      milliseconds: this.timing.leaseMilliseconds,
    };
  }

  private async lead(lease: HeldLease, ending: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ending, lease.lost]);
    const backoff = new Backoff(this.timing.retryPoison);
    while (!signal.aborted) {
      try {
        await this.follow(lease.token, { signal, backoff });
      } catch (error) {
        if (error instanceof FencedError || signal.aborted) return;
        this.noteStoppage(error);
        this.resting = new AbortController();
        await pause(backoff.next(), AbortSignal.any([signal, this.resting.signal]));
      }
    }
  }

  private noteStoppage(error: unknown): void {
    const event = error instanceof PoisonEventError ? error.event : null;
    const { logger } = this.options;
    const fields = { reactor: this.reactor.name, event, reason: reasonOf(error), err: error };
    if (isTemporary(error)) logger.warn(fields, 'A reactor waits for a store or a model');
    else logger.error(fields, 'A reactor failed and tries again');
    const since = this.stopped?.since ?? performance.now();
    this.stopped = { stoppage: { reason: reasonOf(error), event }, since };
  }

  private async follow(
    fencingToken: number,
    { signal, backoff }: { readonly signal: AbortSignal; readonly backoff: Backoff },
  ): Promise<void> {
    const checkpoint = new ReactorCheckpoint(await this.openStore(), fencingToken);
    const after = await checkpoint.begin(this.stores.log);
    const attempt = await this.attempt();
    if (after !== null) this.position.advance(after);
    const { reactorPageSize: pageSize, reactorPositionDelay: positionDelay } = this.timing;
    const { checkpointMilliseconds, reactorCheckpointMilliseconds } = this.timing;
    const maxDelay = (): number =>
      checkpoint.hasActed ? reactorCheckpointMilliseconds : checkpointMilliseconds;
    const checkpointWriter = new CheckpointWriter(checkpoint, maxDelay);
    try {
      const { on, concerns, skipsDecryption } = this.reactor;
      const discarded = discardedIds(await this.settings.of(this.terms.name));
      const types = Object.keys(on);
      const part = { after, types, pageSize, positionDelay, concerns, skipsDecryption, signal, discarded };
      for await (const page of decodedPages(this.stores.log, part)) {
        await checkpointWriter.working();
        for (const events of commandsOf(this.reactor, page.events)) {
          if (signal.aborted) return;
          await this.actOn(events, { attempt, checkpoint });
          backoff.reset();
        }
        if (page.poison) throw page.poison;
        checkpoint.passIrrelevant(page.position);
        this.passed(page.position);
        await checkpointWriter.idle();
      }
    } finally {
      await checkpointWriter.stop();
    }
  }

  /** @throws PoisonEventError the first event that cannot be handled; all earlier ones have been */
  private async actOn(
    events: readonly RecordedEvent[],
    { attempt, checkpoint }: { readonly attempt: ReactorAttempt; readonly checkpoint: ReactorCheckpoint },
  ): Promise<void> {
    const failures = await attempt.actOn(events);
    for (const event of events) {
      if (failures.has(event)) throw failures.get(event);
      checkpoint.passActed(event.position);
      this.passed(event.position);
    }
  }

  private passed(position: number): void {
    this.position.advance(position);
    this.stopped = null;
  }

  private attempt(): Promise<ReactorAttempt> {
    return ReactorAttempt.begin(this.reactor, this.stores.log);
  }

  private async openStore(): Promise<ModelStore> {
    this.store ??= await this.stores.readStore.openModel(`reactor-${this.reactor.name}`, 1, []);
    return this.store;
  }
}
