import type { ReadStore } from '../../src/read-store/port.js';
import type { Logger } from './logger.js';
import type { ModelPositions } from './model-positions.js';
import { outdatedModels, projectionNamed } from './model-versions.js';
import { Backoff, pause } from './pause.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { FromProjector, ProjectorTask } from './projector-protocol.js';
import type { Projection } from './projection.js';

/** What a {@link ProjectionHost} works with. */
export interface ProjectionHostOptions {
  readonly launch: LaunchProjector;
  readonly projections: readonly Projection[];
  /** The requests' own connection: only which versions serve is looked up on it. */
  readonly readStore: ReadStore;
  readonly positions: ModelPositions;
  readonly logger: Logger;
  /** Told when another version of a model serves: queries are to look it up again. */
  readonly onSwitch?: (projection: string) => void;
}

/** A model could not be built; what served before serves on. */
export class BuildFailedError extends Error {
  override readonly name = 'BuildFailedError';
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
/** How long a start takes it that a lease may soon be free, before it believes that another process does the work. */
const STANDBY_MILLISECONDS = 1_000;

/** Runs the projections beside the thread that answers requests: starts them, restarts them when they die, stops them. */
export class ProjectionHost {
  private readonly stopping = new AbortController();
  private serving: RunningProjector | null = null;
  private readonly building = new Set<RunningProjector>();
  private served: Promise<void> = Promise.resolve();
  private deaths = 0;
  private lastDeath: Error | null = null;

  constructor(private readonly options: ProjectionHostOptions) {}

  /**
   * Starts, and resolves when every model is served and has caught up with the log, or is known to stand still or to be
   * another process's work. Models whose code has changed are built meanwhile, in a thread of
   * their own, while the old ones serve as they stand.
   *
   * @throws NewerModelError before anything is started
   * @throws ProjectorDiedError when the projector cannot run
   */
  async start(): Promise<void> {
    const { projections, readStore } = this.options;
    const outdated = await outdatedModels(readStore, projections);
    this.served = this.keepServing();
    if (outdated.length > 0) void this.keepBuilding(outdated.map(({ name }) => name));
    const { signal } = this.stopping;
    const believed = performance.now() + STANDBY_MILLISECONDS;
    while (!signal.aborted && !(await this.isReady(performance.now() > believed))) {
      if (this.deaths >= DEATHS_AT_START) {
        await this.stop();
        throw new ProjectorDiedError('The projections cannot be started', { cause: this.lastDeath });
      }
      await pause(READY_POLL_MILLISECONDS, signal);
    }
  }

  /**
   * Builds a model from nothing beside the one that serves, and switches to it.
   *
   * @throws UnknownProjectionError, BuildFailedError
   */
  async rebuild(name: string): Promise<void> {
    projectionNamed(name, this.options.projections);
    const [failure] = await this.build({ kind: 'build', projections: [name], again: true });
    if (failure !== undefined) throw new BuildFailedError(failure);
  }

  /**
   * Tries a model's poison event again at once.
   *
   * @throws UnknownProjectionError
   */
  retry(name: string): void {
    projectionNamed(name, this.options.projections);
    this.serving?.send({ kind: 'retry', projection: name });
  }

  /** Stores the checkpoints, gives back the leases and ends every thread. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const running = [...this.building, ...(this.serving ? [this.serving] : [])];
    await Promise.all(running.map(stopWithin));
    await this.served;
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

  /** Builds what is outdated, and tries again what fails. */
  private async keepBuilding(names: readonly string[]): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff({ first: 1_000, most: 60_000 });
    while (!signal.aborted) {
      const failures = await this.build({ kind: 'build', projections: names, again: false });
      if (failures.length === 0) return;
      await pause(backoff.next(), signal);
    }
  }

  /** Answers what failed, one sentence each. */
  private async build(task: ProjectorTask): Promise<readonly string[]> {
    const failures: string[] = [];
    const builder = this.options.launch(task, (message) => {
      if (message.kind === 'build-failed') failures.push(`${message.projection}: ${message.reason}`);
      this.receive(message);
    });
    this.building.add(builder);
    if (this.stopping.signal.aborted) builder.send({ kind: 'stop' });
    const error = await builder.ended;
    this.building.delete(builder);
    if (error) failures.push(error.message);
    for (const failure of failures) this.options.logger.error({ failure }, 'A model could not be built');
    return failures;
  }

  private receive(message: FromProjector): void {
    const { positions, logger, onSwitch } = this.options;
    switch (message.kind) {
      case 'progress':
        for (const progress of message.progress) positions.report(progress);
        return;
      case 'switched':
        onSwitch?.(message.projection);
        return this.serving?.send({ kind: 'refresh', projection: message.projection });
      case 'log':
        return logger[message.level](message.fields, message.message);
      case 'build-failed':
    }
  }

  private async isReady(believesStandby: boolean): Promise<boolean> {
    const { positions, readStore } = this.options;
    const ready = positions.status().map(async ({ projection, state }) => {
      if (state === 'standby')
        return believesStandby && (await readStore.servingVersion(projection)) !== null;
      return state === 'live' || state === 'halted' || state === 'frozen';
    });
    return (await Promise.all(ready)).every(Boolean);
  }
}

async function stopWithin(projector: RunningProjector): Promise<void> {
  projector.send({ kind: 'stop' });
  const timer = setTimeout(() => void projector.kill(), STOP_MILLISECONDS);
  await projector.ended;
  clearTimeout(timer);
}
