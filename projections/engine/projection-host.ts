import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Logger } from './logger.js';
import { HeldLease } from './held-lease.js';
import { ModelBuilds, type BuildRequest } from './model-builds.js';
import type { ModelPositions } from './model-positions.js';
import { outdatedModels, projectionNamed } from './model-versions.js';
import { ModelsAtStart } from './models-at-start.js';
import { OperatorOrders, type DiscardedEvent } from './operator-orders.js';
import { Backoff, pause } from './pause.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { ProjectionState } from './progress.js';
import type { FromProjector } from './projector-protocol.js';
import type { Projection } from './projection.js';
import { modelLease } from './projection-runner.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** What a {@link ProjectionHost} works with. */
export interface ProjectionHostOptions {
  readonly launch: LaunchProjector;
  readonly projections: readonly Projection[];
  /** The requests' own connection: only which versions serve is looked up on it. */
  readonly readStore: ReadStore;
  readonly positions: ModelPositions;
  readonly logger: Logger;
  /** Names this process to the others that want the leases. */
  readonly processName?: string;
  /** Told that a model moved on, before those who wait for it are. */
  readonly onProgress?: (projection: string) => void;
  /** Told when another version of a model serves: queries are to look it up again. */
  readonly onSwitch?: (projection: string) => void;
  /** Told that versions of models were dropped: what other threads have open of them is to be let go of. */
  readonly onDrop: () => void;
}

/** How {@link ProjectionHost.start} starts. */
export interface StartOptions {
  readonly acceptNewer?: boolean;
}

/** Events that are not given up any more. */
export interface RestoredEvents {
  readonly events: readonly DiscardedEvent[];
  /** The stored version of the model that was built with them; null: a reactor has acted on them. */
  readonly version: number | null;
}

/** No event was given up, or not the one that is named. */
export class NothingDiscardedError extends OperatorError {
  override readonly name = 'NothingDiscardedError';
  constructor(follower: string) {
    super(`No such event of ${follower} was given up: "dead-letters list" shows those that were.`);
  }
}

/** The projector dies as often as it is started. */
export class ProjectorDiedError extends Error {
  override readonly name = 'ProjectorDiedError';
}

const RESTART = { first: 100, most: 10_000 };
const STEADY_MILLISECONDS = 30_000;
/** So often may the projector die before a start is given up. */
const DEATHS_AT_START = 3;
const STOP_MILLISECONDS = 10_000;
const READY_POLL_MILLISECONDS = 20;
/** How long a model is given to do as an operator wants, before they are answered all the same. */
const OBEYING_MILLISECONDS = 5_000;
/** States that end with a pause. */
const moving: ReadonlySet<ProjectionState> = new Set(['live', 'catching-up', 'building', 'unavailable']);

/** Runs the projections beside the thread that answers requests: starts them, restarts them when they die, stops them. */
export class ProjectionHost {
  private readonly stopping = new AbortController();
  private serving: RunningProjector | null = null;
  private readonly orders: OperatorOrders;
  /** Builds versions beside those that serve. */
  readonly builds: ModelBuilds;
  private served: Promise<void> = Promise.resolve();
  private deaths = 0;
  private lastDeath: Error | null = null;

  constructor(private readonly options: ProjectionHostOptions) {
    const { launch, projections, readStore, logger, processName = 'projection host' } = options;
    this.orders = new OperatorOrders(readStore);
    this.builds = new ModelBuilds({
      launch,
      projections,
      readStore,
      logger,
      processName,
      receive: (message) => this.receive(message),
      handOver: (projection, version) => this.handOver(projection, version),
      onDrop: () => {
        this.serving?.send({ kind: 'release-dropped' });
        this.options.onDrop();
      },
      stopping: this.stopping.signal,
    });
  }

  /**
   * Starts, and resolves when every model is served and has caught up with the log, or is known to stand still or to be
   * another process's work, or cannot be written for now. Models whose code has changed are built meanwhile, in a thread of
   * their own, while the old ones serve as they stand.
   *
   * @param options.acceptNewer whether models that newer code made are left as they stand, because they are about to be rebuilt
   * @throws NewerModelError before anything is started
   * @throws ProjectorDiedError when the projector cannot run
   * @throws ModelsUnavailableError when nothing serves, and nothing can be built
   */
  async start({ acceptNewer = false }: StartOptions = {}): Promise<void> {
    const { projections, readStore } = this.options;
    const outdated = await outdatedModels(readStore, projections, { acceptNewer });
    this.served = this.keepServing();
    void this.builds.keepBuilding(outdated);
    const { signal } = this.stopping;
    const models = new ModelsAtStart(this.options);
    try {
      while (!signal.aborted && !(await models.areReady())) {
        if (this.deaths >= DEATHS_AT_START)
          throw new ProjectorDiedError('The projections cannot be started', { cause: this.lastDeath });
        await pause(READY_POLL_MILLISECONDS, signal);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Stops a model where it is, until it is resumed, also over restarts; or lets it go on. Resolves when the model stands still,
   * whichever process advanced it, or a model that this process advances has gone on; after 5 seconds in any case, because a process
   * that died keeps its lease for longer.
   *
   * @throws UnknownProjectionError
   */
  async setPaused(name: string, isPaused: boolean): Promise<void> {
    projectionNamed(name, this.options.projections);
    await this.orders.change(name, (orders) => ({ ...orders, isPaused }), this.processName);
    this.serving?.send({ kind: 'refresh', projection: name });
    const deadline = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(OBEYING_MILLISECONDS)]);
    await this.untilPaused(name, isPaused, deadline);
    if (isPaused) await this.untilNobodyAdvances(name, deadline);
  }

  /**
   * Gives a poison event up: the model, and whatever is rebuilt of it, goes on as if the event were not there.
   *
   * @throws UnknownProjectionError
   */
  async discard(name: string, event: DiscardedEvent): Promise<void> {
    projectionNamed(name, this.options.projections);
    const { stoppedBuild } = await this.orders.of(name);
    await this.orders.discard(name, event, this.processName);
    this.serving?.send({ kind: 'refresh', projection: name });
    if (stoppedBuild !== null) await this.builds.goOn(name);
  }

  /**
   * Takes back that events were given up, and builds the model anew with them. What served until then lacks them, and is dropped.
   *
   * @param id null: all of the projection's
   * @returns the events, and the stored version that serves now
   * @throws UnknownProjectionError; NothingDiscardedError; BuildFailedError when one of them still cannot be applied: what serves serves on
   */
  async restore(name: string, id: string | null, request: BuildRequest = {}): Promise<RestoredEvents> {
    projectionNamed(name, this.options.projections);
    const ids = id === null ? null : new Set([id]);
    const events = await this.orders.restore(name, ids, this.processName);
    if (events.length === 0) throw new NothingDiscardedError(name);
    this.serving?.send({ kind: 'refresh', projection: name });
    const version = await this.builds.rebuild(name, request);
    await this.builds.drop(name);
    return { events, version };
  }

  /**
   * Tries the poison event again at once that a model stands before, or what is rebuilt of it.
   *
   * @throws UnknownProjectionError
   */
  async retry(name: string): Promise<void> {
    projectionNamed(name, this.options.projections);
    this.serving?.send({ kind: 'retry', projection: name });
    const { stoppedBuild } = await this.orders.of(name);
    if (stoppedBuild !== null) await this.builds.goOn(name);
  }

  /** Stores the checkpoints, gives back the leases and ends every thread. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.builds.stop(stopWithin), this.serving && stopWithin(this.serving)]);
    await this.served;
  }

  private async untilPaused(name: string, isPaused: boolean, signal: AbortSignal): Promise<void> {
    const { positions } = this.options;
    while (!signal.aborted) {
      const state = positions.status().find(({ projection }) => projection === name)?.state ?? null;
      if (isPaused ? state === null || !moving.has(state) : state !== 'paused') return;
      await pause(READY_POLL_MILLISECONDS, signal);
    }
  }

  /** Another process gives the model's lease back once it has noticed the pause, and takes it no more. */
  private async untilNobodyAdvances(name: string, signal: AbortSignal): Promise<void> {
    const { readStore, logger } = this.options;
    const version = await readStore.servingVersion(name);
    if (version === null) return;
    const terms = {
      name: modelLease(name, version),
      owner: `${this.processName}:pause`,
      milliseconds: 1_000,
    };
    const lease = await HeldLease.obtain({ readStore, logger }, terms, signal);
    await lease?.release();
  }

  private async keepServing(): Promise<void> {
    const { launch, logger, positions, projections } = this.options;
    const { signal } = this.stopping;
    const backoff = new Backoff(RESTART);
    while (!signal.aborted) {
      const started = performance.now();
      this.serving = launch({ kind: 'serve' }, (message) => this.receive(message));
      const error = await this.serving.ended;
      this.serving = null;
      for (const { name, version } of projections) {
        positions.report({ projection: name, version, position: null, state: 'stopped', stoppage: null });
      }
      if (signal.aborted) return;
      this.deaths += 1;
      this.lastDeath = error;
      logger.error({ err: error }, 'The projector died and is started again');
      if (performance.now() - started > STEADY_MILLISECONDS) backoff.reset();
      await pause(backoff.next(), signal);
    }
  }

  /** Where another process keeps the model, that one notices the switch by itself. */
  private async handOver(projection: string, version: number): Promise<void> {
    const { positions, readStore, onSwitch } = this.options;
    const state = positions.status().find((status) => status.projection === projection)?.state ?? null;
    const isElsewhere = state === null || state === 'standby' || state === 'stopped';
    if (this.serving !== null && !isElsewhere) {
      return this.serving.send({ kind: 'hand-over', projection, version });
    }
    await readStore.switchVersion(projection, await readStore.servingVersion(projection), version);
    onSwitch?.(projection);
  }

  private get processName(): string {
    return this.options.processName ?? 'projection host';
  }

  private receive(message: FromProjector): void {
    const { positions, logger, onProgress, onSwitch } = this.options;
    switch (message.kind) {
      case 'progress':
        for (const progress of message.progress) {
          onProgress?.(progress.projection);
          positions.report(progress);
        }
        return;
      case 'switched':
        onSwitch?.(message.projection);
        return this.serving?.send({ kind: 'refresh', projection: message.projection });
      case 'log':
        return logger[message.level](message.fields, message.message);
      case 'build-progress':
      case 'build-failed':
    }
  }
}

async function stopWithin(projector: RunningProjector): Promise<void> {
  projector.send({ kind: 'stop' });
  const timer = setTimeout(() => void projector.kill(), STOP_MILLISECONDS);
  await projector.ended;
  clearTimeout(timer);
}
