import type { EventLog } from '../../src/stores/event-store/event-log.js';
import { FencedError, ModelRemovedError, type ReadStore } from '../../src/stores/read-store/port.js';
import { decodedPages, type DecodedPage } from './decoded-pages.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import { EventApplier } from './event-applier.js';
import { HeldLease } from './held-lease.js';
import type { Logger } from './logger.js';
import { writable, type StoredModel } from './open-model.js';
import { Backoff, pause } from './pause.js';
import { PoisonEventError, isAboutStores, reasonOf, type EventReference } from './poison-event.js';
import type { ProgressListener, ProjectionState, Stoppage } from './progress.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** The stores and the codec that runners use. */
export interface EngineStores {
  readonly log: EventLog;
  readonly readStore: ReadStore;
}

/** Options of a {@link ProjectionRunner}. */
interface RunnerOptions {
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  readonly listener: ProgressListener;
  /** Awaited when the model has caught up with the log, until it succeeds once. */
  readonly caughtUp?: () => Promise<void>;
  readonly timing?: EngineTiming;
  /** Ids of events to skip. */
  readonly discarded?: ReadonlySet<string>;
  /**
   * Asked once the lease is held: a model that was paused since it was opened is not advanced, and the run ends. An operator who finds the
   * lease free therefore knows that a pause is obeyed.
   */
  readonly isPaused?: () => Promise<boolean>;
}

/** The name of the lease for writing a stored version of a model. */
export function modelLease(projection: string, version: number): string {
  return `projection:${projection}:${version}`;
}

/**
 * Keeps one stored version of one model up to date: takes its lease, applies new events, stands by after the lease is lost, and halts at an
 * event that cannot be applied, which it retries.
 */
export class ProjectionRunner {
  private readonly timing: EngineTiming;
  private readonly poisonBackoff: Backoff;
  private readonly storeBackoff: Backoff;
  private position: number | null = null;
  private applier: EventApplier | null = null;
  /** Events applied by earlier appliers of this runner. */
  private eventsBefore = 0;
  private caughtUp = false;
  /** There was an error, and no success since. */
  private failing = false;
  private wasRemoved = false;
  private wasPaused = false;
  private poison: EventReference | null = null;
  private resting = new AbortController();

  constructor(
    private readonly stores: EngineStores,
    private readonly stored: StoredModel,
    private readonly options: RunnerOptions,
  ) {
    this.timing = options.timing ?? engineTiming;
    this.poisonBackoff = new Backoff(this.timing.retryPoison);
    this.storeBackoff = new Backoff(this.timing.retryStores);
  }

  /**
   * Runs until the signal is aborted, or until the stored version is removed or paused. Then it stores the checkpoint and releases the
   * lease. Never rejects.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { readStore } = this.stores;
    const { processName, logger } = this.options;
    const { projection, model } = this.stored;
    const terms = {
      name: modelLease(projection.name, model.version),
      owner: processName,
      milliseconds: this.timing.leaseMilliseconds,
    };
    while (!signal.aborted && !this.isOver) {
      this.report('standby');
      const lease = await HeldLease.obtain({ readStore, logger }, terms, signal);
      if (lease === null) break;
      await this.lead(lease, signal);
      await lease.release();
    }
    this.report('stopped');
  }

  /** Whether the version is removed or paused, so that the caller must look up again what to do. */
  private get isOver(): boolean {
    return this.wasRemoved || this.wasPaused || this.stored.model.isRemoved();
  }

  /** Ends the delay before a retry. */
  retry(): void {
    this.resting.abort();
  }

  private async lead(lease: HeldLease, ending: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ending, lease.lost]);
    while (!signal.aborted && !this.isOver) {
      try {
        this.wasPaused = (await this.options.isPaused?.()) ?? false;
        if (!this.wasPaused) await this.follow(lease.token, signal);
      } catch (error) {
        if (error instanceof FencedError) {
          this.options.logger.warn(
            { projection: this.stored.projection.name },
            'Another runner holds the lease',
          );
          return;
        }
        if (signal.aborted) return;
        this.wasRemoved = error instanceof ModelRemovedError;
        this.reportFailure(error);
        if (this.isOver) return;
        this.resting = new AbortController();
        const backoff = this.poison ? this.poisonBackoff : this.storeBackoff;
        await pause(backoff.next(), AbortSignal.any([signal, this.resting.signal]));
      }
    }
  }

  /** Follows the log from the checkpoint until the signal is aborted or an error occurs. */
  private async follow(fencingToken: number, signal: AbortSignal): Promise<void> {
    const { projection } = this.stored;
    const { batch: limits, pageSize } = this.timing;
    const applied = writable(this.stores.readStore, this.stored, { fencingToken, limits });
    const applier = await EventApplier.open(applied, (position) => this.moved(position));
    this.eventsBefore += this.applier?.events ?? 0;
    this.applier = applier;
    this.position = applier.passed;
    if (!this.failing) this.report(this.stateWhileBehind());
    const { discarded = new Set<string>() } = this.options;
    const part = { after: applier.passed, types: Object.keys(projection.on), pageSize, signal, discarded };
    const checkpointWriter = new CheckpointWriter(applier, () => this.timing.checkpointMilliseconds);
    try {
      for await (const page of decodedPages(this.stores.log, part)) {
        await checkpointWriter.working();
        await this.take(page, applier, signal);
        await checkpointWriter.idle();
        if (projection.isBackground && page.live) await pause(this.timing.backgroundMilliseconds, signal);
      }
    } finally {
      await checkpointWriter.stop();
    }
  }

  private async take(page: DecodedPage, applier: EventApplier, signal: AbortSignal): Promise<void> {
    await this.apply(page, applier, signal);
    if (signal.aborted) return;
    this.position = applier.passed;
    this.gotPast();
    if (page.live && !this.caughtUp) {
      await this.options.caughtUp?.();
      this.caughtUp = true;
    }
    this.report(page.live ? 'live' : this.stateWhileBehind());
  }

  /** Only live events are traced: the requests of older ones ended long ago. */
  private apply(page: DecodedPage, applier: EventApplier, signal: AbortSignal): Promise<void> {
    const apply = (): Promise<void> => applier.apply(page, signal);
    const { tracer } = this.stores.log;
    if (!tracer || !this.caughtUp || page.events.length === 0) return apply();
    return tracer.projection(this.stored.projection.name, page.events, apply);
  }

  /**
   * Called after each commit, so that callers waiting for the position continue at once. Once caught up, the model counts as live while it
   * advances, because under steady load no page may end at the end of the log; its lag is measured by the callers that wait.
   */
  private moved(position: number): void {
    this.position = position;
    this.gotPast();
    this.report(this.caughtUp ? 'live' : this.stateWhileBehind());
  }

  private gotPast(): void {
    const { poison } = this;
    if (poison !== null && (this.position ?? -1) < poison.position) return;
    this.failing = false;
    this.poison = null;
    this.poisonBackoff.reset();
    this.storeBackoff.reset();
  }

  private stateWhileBehind(): ProjectionState {
    return this.options.caughtUp && !this.caughtUp ? 'building' : 'catching-up';
  }

  private reportFailure(error: unknown): void {
    const { name: projection } = this.stored.projection;
    const event = error instanceof PoisonEventError ? error.event : null;
    const reason = reasonOf(error);
    this.failing = true;
    this.poison = event;
    if (event === null && isAboutStores(error)) {
      this.options.logger.warn({ projection, reason }, 'A projection waits for its stores');
      return this.report('unavailable', { reason, event });
    }
    this.options.logger.error({ projection, event, reason, err: error }, 'A projection has halted');
    this.report('halted', { reason, event });
  }

  private report(state: ProjectionState, stoppage: Stoppage | null = null): void {
    const { projection, model } = this.stored;
    const { position } = this;
    const events = this.eventsBefore + (this.applier?.events ?? 0);
    const { name } = projection;
    this.options.listener({ projection: name, version: model.version, position, state, stoppage, events });
  }
}
