import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Logger } from './logger.js';
import { projectionNamed } from './model-versions.js';
import { OperatorSettings, type StoppedBuild } from './operator-settings.js';
import { Backoff, pause } from './pause.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { BuildProgress, FromProjector } from './projector-protocol.js';
import type { Projection } from './projection.js';
import { firstVersionToBuild, nextVersionToBuild, projectionVersion } from './stored-version.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** What {@link ModelBuilds} needs. */
export interface ModelBuildsOptions {
  readonly launch: LaunchProjector;
  readonly projections: readonly Projection[];
  readonly readStore: ReadStore;
  readonly logger: Logger;
  /** Names this process in leases. */
  readonly processName: string;
  /** Called with the messages of builders, except for their progress. */
  readonly receive: (message: FromProjector) => void;
  /** Makes a caught-up version serve, in the process that keeps the model up to date. */
  readonly cutOver: (projection: string, version: number) => Promise<void>;
  /** Called after versions were dropped: every thread that has them open must close them. */
  readonly onDrop: () => void;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** How to build a model. */
export interface BuildRequest {
  /** Maximum number of events per second; absent or null: unlimited. */
  readonly eventsPerSecond?: number | null;
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** A model could not be built. The serving version goes on serving. */
export class BuildFailedError extends OperatorError {
  override readonly name = 'BuildFailedError';
}

/** There is no version to roll back to. */
export class NoEarlierVersionError extends OperatorError {
  override readonly name = 'NoEarlierVersionError';
  constructor(projection: string) {
    super(
      `There is no other version of ${projection} that this program can keep up to date; docs/upgrade.md says how to go back to an older program`,
    );
  }
}

const SWITCH_POLL_MILLISECONDS = 20;
const SWITCH_ATTEMPTS = 10;

/** Builds versions of models beside the serving ones, each in a thread of its own, and cuts over to them. */
export class ModelBuilds {
  private readonly running = new Set<RunningProjector>();
  private readonly settings: OperatorSettings;
  /** By projection: builds of one model run one after the other. */
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly latest = new Map<string, BuildProgress>();
  /** By projection: ends the delay before a retry. */
  private readonly persistent = new Map<string, AbortController>();

  constructor(private readonly options: ModelBuildsOptions) {
    this.settings = new OperatorSettings(options.readStore);
  }

  /** The progress of the running builds. */
  progress(): readonly BuildProgress[] {
    return [...this.latest.values()];
  }

  /**
   * Builds a model from an empty version beside the serving one, or resumes an interrupted rebuild, and cuts over to it. The version that
   * served until then is kept, and older ones are dropped.
   *
   * @throws UnknownProjectionError, BuildFailedError
   */
  async rebuild(name: string, request: BuildRequest = {}): Promise<number> {
    const projection = projectionNamed(name, this.options.projections);
    return this.withLock(name, async () => {
      const version = await this.versionToBuild(projection);
      await this.note(name, version);
      await this.buildAndSwitch(projection, version, request);
      await this.note(name, null);
      return version;
    });
  }

  /** Builds the models whose projection has a new version, with retries, and resumes interrupted rebuilds. */
  async keepBuilding(outdated: readonly Projection[]): Promise<void> {
    const interrupted: Projection[] = [];
    for (const projection of this.options.projections) {
      const { building } = await this.settings.of(projection.name);
      if (building !== null && !outdated.includes(projection)) interrupted.push(projection);
    }
    await Promise.all([
      ...outdated.map((projection) => this.keepTrying(projection, () => this.replaceOutdated(projection))),
      ...interrupted.map((projection) => this.keepTrying(projection, () => this.rebuild(projection.name))),
    ]);
  }

  /** Retries a build at once that stopped at a poison event. */
  async goOn(name: string): Promise<void> {
    const persistent = this.persistent.get(name);
    if (persistent !== undefined) return persistent.abort();
    if ((await this.settings.of(name)).building === null) return;
    void this.rebuild(name).catch((error: unknown) =>
      this.options.logger.error({ projection: name, err: error }, 'A model could not be built'),
    );
  }

  /**
   * Lets the previously serving version catch up, and cuts over to it.
   *
   * @returns the stored version that serves now
   * @throws UnknownProjectionError, NoEarlierVersionError, BuildFailedError
   */
  rollback(name: string): Promise<number> {
    const projection = projectionNamed(name, this.options.projections);
    return this.withLock(name, async () => {
      const earlier = await this.earlierVersion(projection);
      if (earlier === null) throw new NoEarlierVersionError(name);
      await this.build(projection, earlier, {});
      await this.switchTo(projection.name, earlier);
      return earlier;
    });
  }

  /**
   * Removes all versions of a model that do not serve.
   *
   * @returns the removed stored versions
   * @throws UnknownProjectionError
   */
  drop(name: string): Promise<readonly number[]> {
    projectionNamed(name, this.options.projections);
    return this.withLock(name, async () => {
      const { serving, others } = await this.versions(name);
      // After a first build there is nothing to roll back to.
      const dropped = serving === null ? [] : await this.dropAll(name, others);
      await this.note(name, null);
      return dropped;
    });
  }

  /** Stops all builders; their builds can be resumed. */
  async stop(end: (projector: RunningProjector) => Promise<void>): Promise<void> {
    await Promise.all([...this.running].map(end));
  }

  private async replaceOutdated(projection: Projection): Promise<void> {
    const { readStore } = this.options;
    await this.withLock(projection.name, async () => {
      const serving = await readStore.servingVersion(projection.name);
      // An operator may have had it rebuilt in the meantime.
      if (serving !== null && projectionVersion(serving) === projection.version) return;
      await this.buildAndSwitch(projection, await firstVersionToBuild(readStore, projection), {});
    });
  }

  private async keepTrying({ name }: Projection, task: () => Promise<unknown>): Promise<void> {
    const { stopping, logger } = this.options;
    const backoff = new Backoff({ first: 1_000, max: 60_000 });
    while (!stopping.aborted) {
      const resting = new AbortController();
      this.persistent.set(name, resting);
      try {
        await task();
        break;
      } catch (error) {
        if (stopping.aborted) break;
        logger.error({ projection: name, err: error }, 'A model could not be built');
        await pause(backoff.next(), AbortSignal.any([stopping, resting.signal]));
      }
    }
    this.persistent.delete(name);
  }

  /** The version that served before; never an unfinished build. */
  private async earlierVersion({ name, version: known }: Projection): Promise<number | null> {
    const { serving, others } = await this.versions(name);
    // Then the only version of this code is the one being built.
    if (serving === null || projectionVersion(serving) !== known) return null;
    const { building } = await this.settings.of(name);
    const complete = others.filter((one) => projectionVersion(one) === known && one !== building);
    return complete.at(-1) ?? null;
  }

  private async buildAndSwitch(
    projection: Projection,
    version: number,
    request: BuildRequest,
  ): Promise<void> {
    const { name } = projection;
    const { serving, others } = await this.versions(name);
    if (serving === version) return;
    await this.build(projection, version, request);
    await this.switchTo(name, version);
    await this.dropAll(
      name,
      others.filter((other) => other !== version),
    );
  }

  /** Returns the versions that were removed: one that another process has made serve meanwhile stays. */
  private async dropAll(name: string, versions: readonly number[]): Promise<readonly number[]> {
    const { readStore, onDrop } = this.options;
    const dropped: number[] = [];
    for (const version of versions) if (await readStore.dropModel(name, version)) dropped.push(version);
    if (dropped.length > 0) onDrop();
    return dropped;
  }

  private async build(
    { name: projection }: Projection,
    version: number,
    request: BuildRequest,
  ): Promise<void> {
    const failures: string[] = [];
    let stopped: StoppedBuild | null = null;
    const { eventsPerSecond = null, onProgress } = request;
    const task = { kind: 'build', projection, version, eventsPerSecond } as const;
    this.latest.set(projection, { projection, version, position: null, events: 0 });
    const builder = this.options.launch(task, (message) => {
      if (message.kind === 'build-failed') {
        const { event, reason } = message;
        failures.push(`${projection}: ${reason}`);
        stopped = event && { event, reason };
      }
      if (message.kind !== 'build-progress') return this.options.receive(message);
      this.latest.set(projection, message.progress);
      onProgress?.(message.progress);
    });
    this.running.add(builder);
    if (this.options.stopping.aborted) builder.send({ kind: 'stop' });
    const error = await builder.ended;
    this.running.delete(builder);
    this.latest.delete(projection);
    if (error !== null) failures.push(error.message);
    if (this.options.stopping.aborted)
      throw new BuildFailedError(`The build of ${projection} was interrupted`);
    await this.noteStopped(projection, stopped);
    if (failures.length > 0) throw new BuildFailedError(failures.join('; '));
  }

  private async switchTo(name: string, version: number): Promise<void> {
    const { readStore, cutOver, stopping } = this.options;
    const attempts = new Backoff({ first: 500, max: 4_000 });
    for (let asked = 0; asked < SWITCH_ATTEMPTS; asked += 1) {
      // The process that was asked may have died, or failed to let the version catch up.
      await cutOver(name, version);
      const deadline = performance.now() + attempts.next();
      while (performance.now() < deadline && !stopping.aborted) {
        if ((await readStore.servingVersion(name)) === version) return;
        await pause(SWITCH_POLL_MILLISECONDS, stopping);
      }
    }
    throw new BuildFailedError(`Version ${version} of ${name} was built, but does not serve`);
  }

  /** The version of an unfinished rebuild, or else a new generation. */
  private async versionToBuild(projection: Projection): Promise<number> {
    const { readStore } = this.options;
    const { serving } = await this.versions(projection.name);
    if (serving === null || projectionVersion(serving) !== projection.version)
      return firstVersionToBuild(readStore, projection);
    const { building } = await this.settings.of(projection.name);
    return nextVersionToBuild(readStore, projection, building);
  }

  private async versions(
    name: string,
  ): Promise<{ readonly serving: number | null; readonly others: readonly number[] }> {
    const serving = await this.options.readStore.servingVersion(name);
    const stored = await this.options.readStore.modelVersions(name);
    return { serving, others: stored.filter((version) => version !== serving) };
  }

  private async note(name: string, building: number | null): Promise<void> {
    await this.settings.change(
      name,
      (settings) => ({ ...settings, building, stoppedBuild: null }),
      this.options.processName,
    );
  }

  private async noteStopped(name: string, stoppedBuild: StoppedBuild | null): Promise<void> {
    const known = await this.settings.of(name);
    if (stoppedBuild === null && known.stoppedBuild === null) return;
    await this.settings.change(name, (settings) => ({ ...settings, stoppedBuild }), this.options.processName);
  }

  private withLock<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(task, task);
    this.last.set(name, turn);
    return turn;
  }
}
