import type { ReadStore } from '../../src/stores/read-store/port.js';
import { HeldLease } from './held-lease.js';
import type { BuildRequest } from './builders.js';
import { ModelBuilds } from './model-builds.js';
import { outdatedModels, projectionNamed } from './model-versions.js';
import { ModelsAtStart } from './models-at-start.js';
import { OperatorSettings, type DiscardedEvent } from './operator-settings.js';
import { pause } from './pause.js';
import { ServingProjector, stopWithin, type ServingProjectorOptions } from './serving-projector.js';
import { isKeptHere, type ProjectionState } from './progress.js';
import { modelLease } from './projection-runner.js';
import { OperatorError } from '../../src/kernel/errors.js';
import { withTimeout } from '../../src/runtime/with-timeout.js';

/** What a {@link ProjectionHost} needs. */
interface ProjectionHostOptions extends ServingProjectorOptions {
  /** The request thread's connection, only used to look up which versions serve. */
  readonly readStore: ReadStore;
  /** Names this process in leases. */
  readonly processName?: string;
  /** Called after versions were dropped: other threads must close them. */
  readonly onDrop: () => void;
}

/** Options of {@link ProjectionHost.start}. */
export interface StartOptions {
  readonly acceptNewer?: boolean;
}

/** The result of restoring discarded events. */
export interface RestoredEvents {
  readonly events: readonly DiscardedEvent[];
  /** The stored version that was built with them; null: a reactor has handled them. */
  readonly version: number | null;
}

/** No event was discarded, or not the one that is named. */
export class NothingDiscardedError extends OperatorError {
  override readonly name = 'NothingDiscardedError';
  constructor(follower: string) {
    super(`No such event of ${follower} was discarded: "dead-letters list" shows those that were.`);
  }
}

const READY_POLL_MILLISECONDS = 20;
/** Maximum time to wait for a model to pause or resume. */
const PAUSE_TIMEOUT_MILLISECONDS = 5_000;
/** States in which a model can be paused. */
const pausableStates: ReadonlySet<ProjectionState> = new Set([
  'live',
  'catching-up',
  'building',
  'unavailable',
]);

/** Runs the projections beside the request thread: starts, restarts and stops their threads. */
export class ProjectionHost {
  private readonly stopping = new AbortController();
  private readonly stoppingBuilds = new AbortController();
  private readonly serving: ServingProjector;
  private readonly settings: OperatorSettings;
  /** Builds versions beside the serving ones. */
  readonly builds: ModelBuilds;

  constructor(private readonly options: ProjectionHostOptions) {
    const { launch, projections, readStore, logger, processName = 'projection host' } = options;
    this.settings = new OperatorSettings(readStore);
    this.serving = new ServingProjector(options, this.stopping.signal);
    this.builds = new ModelBuilds({
      launch,
      projections,
      readStore,
      logger,
      processName,
      receive: (message) => this.serving.receive(message),
      cutOver: (projection, version) => this.cutOver(projection, version),
      onDrop: () => {
        this.serving.send({ kind: 'release-dropped' });
        this.options.onDrop();
      },
      stopping: this.stoppingBuilds.signal,
    });
  }

  /**
   * Starts the projections. Resolves when every model serves and has caught up with the log, or is known not to advance, to be kept up to
   * date by another process, or not to be writable. Models with a new projection version are built in a thread of their own, while their
   * old versions serve.
   *
   * @param options.acceptNewer whether models of a newer program are accepted, because they are about to be rebuilt
   * @throws NewerModelError before anything is started
   * @throws ProjectorDiedError when the projector cannot run
   * @throws ModelsUnavailableError when nothing serves and nothing can be built
   */
  async start({ acceptNewer = false }: StartOptions = {}): Promise<void> {
    const { projections, readStore } = this.options;
    const outdated = await outdatedModels(readStore, projections, { acceptNewer });
    this.serving.start();
    void this.builds.keepBuilding(outdated);
    const { signal } = this.stopping;
    const models = new ModelsAtStart(this.options);
    try {
      while (!signal.aborted && !(await models.areReady())) {
        this.serving.assertAlive();
        await pause(READY_POLL_MILLISECONDS, signal);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Pauses a model until it is resumed, also over restarts; or resumes it. Resolves when no process advances a paused model any more, or
   * when a resumed model of this process advances. Resolves after 5 seconds in any case, because a process that died keeps its lease for
   * longer.
   *
   * @throws UnknownProjectionError
   */
  async setPaused(name: string, isPaused: boolean): Promise<void> {
    projectionNamed(name, this.options.projections);
    await this.settings.change(name, (settings) => ({ ...settings, isPaused }), this.processName);
    this.serving.send({ kind: 'refresh', projection: name });
    const ending = { stopped: this.stopping.signal, timeout: PAUSE_TIMEOUT_MILLISECONDS };
    await withTimeout(ending, async (deadline) => {
      await this.untilPaused(name, isPaused, deadline);
      if (isPaused) await this.untilNobodyAdvances(name, deadline);
    });
  }

  /**
   * Discards a poison event: the model and its rebuilds skip it from now on.
   *
   * @throws UnknownProjectionError
   */
  async discard(name: string, event: DiscardedEvent): Promise<void> {
    projectionNamed(name, this.options.projections);
    const { stoppedBuild } = await this.settings.of(name);
    await this.settings.discard(name, event, this.processName);
    this.serving.send({ kind: 'refresh', projection: name });
    if (stoppedBuild !== null) await this.builds.goOn(name);
  }

  /**
   * Reverts that events were discarded, and rebuilds the model with them. The versions built without them are dropped.
   *
   * @param id null: all discarded events of the projection
   * @returns the events, and the stored version that serves now
   * @throws UnknownProjectionError; NothingDiscardedError; BuildFailedError when one of them still cannot be applied: then the serving
   *   version goes on serving
   */
  async restore(name: string, id: string | null, request: BuildRequest = {}): Promise<RestoredEvents> {
    projectionNamed(name, this.options.projections);
    const ids = id === null ? null : new Set([id]);
    const events = await this.settings.restore(name, ids, this.processName);
    if (events.length === 0) throw new NothingDiscardedError(name);
    this.serving.send({ kind: 'refresh', projection: name });
    const version = await this.builds.rebuild(name, request);
    await this.builds.drop(name);
    return { events, version };
  }

  /**
   * Retries the poison event at which a model or its rebuild has stopped.
   *
   * @throws UnknownProjectionError
   */
  async retry(name: string): Promise<void> {
    projectionNamed(name, this.options.projections);
    this.serving.send({ kind: 'retry', projection: name });
    const { stoppedBuild } = await this.settings.of(name);
    if (stoppedBuild !== null) await this.builds.goOn(name);
  }

  /** Interrupts all builds, which the next start resumes, and whoever waits for them. The serving versions go on being kept up to date. */
  async stopBuilds(): Promise<void> {
    this.stoppingBuilds.abort();
    await this.builds.stop(stopWithin);
  }

  /** Stores the checkpoints, releases the leases and ends all threads. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.stopBuilds(), this.serving.stop()]);
  }

  private async untilPaused(name: string, isPaused: boolean, signal: AbortSignal): Promise<void> {
    const { positions } = this.options;
    while (!signal.aborted) {
      const state = positions.status().find(({ projection }) => projection === name)?.state ?? null;
      if (isPaused ? state === null || !pausableStates.has(state) : state !== 'paused') return;
      await pause(READY_POLL_MILLISECONDS, signal);
    }
  }

  /** A process that advances the model releases its lease when it notices the pause, and does not take it again. */
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

  /** If another process keeps the model up to date, that one notices the cut-over by itself. */
  private async cutOver(projection: string, version: number): Promise<void> {
    const { positions, readStore, onCutOver } = this.options;
    const state = positions.status().find((status) => status.projection === projection)?.state ?? null;
    if (this.serving.isRunning && isKeptHere(state)) {
      return this.serving.send({ kind: 'cut-over', projection, version });
    }
    await readStore.switchVersion(projection, await readStore.servingVersion(projection), version);
    onCutOver?.(projection);
  }

  private get processName(): string {
    return this.options.processName ?? 'projection host';
  }
}
