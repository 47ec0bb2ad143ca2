import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Logger } from './logger.js';
import { projectionNamed } from './model-versions.js';
import { OperatorOrders, type StoppedBuild } from './operator-orders.js';
import { Backoff, pause } from './pause.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { BuildProgress, FromProjector } from './projector-protocol.js';
import type { Projection } from './projection.js';
import { projectionVersion } from './stored-version.js';
import { firstVersionToBuild, nextVersionToBuild } from './version-to-build.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** What {@link ModelBuilds} works with. */
export interface ModelBuildsOptions {
  readonly launch: LaunchProjector;
  readonly projections: readonly Projection[];
  readonly readStore: ReadStore;
  readonly logger: Logger;
  /** Names this process to the others. */
  readonly processName: string;
  /** Told what builders say, but for how far they have come. */
  readonly receive: (message: FromProjector) => void;
  /** Makes a version serve that has caught up: where this process keeps the model, through whoever does. */
  readonly handOver: (projection: string, version: number) => Promise<void>;
  /** Told that versions were dropped: every thread that has them open is to let go of them. */
  readonly onDrop: () => void;
  /** Aborted when the process ends. */
  readonly stopping: AbortSignal;
}

/** How a model is to be built. */
export interface BuildRequest {
  /** The most events that are applied in a second; absent or null: as many as can be. */
  readonly eventsPerSecond?: number | null;
  readonly onProgress?: (progress: BuildProgress) => void;
}

/** A model could not be built; what served before serves on. */
export class BuildFailedError extends OperatorError {
  override readonly name = 'BuildFailedError';
}

/** There is no version to go back to. */
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

/** Builds versions of models beside those that serve, each in a thread of its own, and lets them take their place. */
export class ModelBuilds {
  private readonly running = new Set<RunningProjector>();
  private readonly orders: OperatorOrders;
  /** By projection: builds of one model wait for each other. */
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly latest = new Map<string, BuildProgress>();
  /** By projection: ends the pauses of what is tried again and again. */
  private readonly persistent = new Map<string, AbortController>();

  constructor(private readonly options: ModelBuildsOptions) {
    this.orders = new OperatorOrders(options.readStore);
  }

  /** How far the builds that are under way have come. */
  progress(): readonly BuildProgress[] {
    return [...this.latest.values()];
  }

  /**
   * Builds a model from nothing beside the one that serves, or goes on with a rebuild that was interrupted, and switches to it.
   * What served until then is kept, older versions are dropped.
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

  /** Builds the models whose code has changed, and tries again what fails; goes on with rebuilds that a stop interrupted. */
  async keepBuilding(outdated: readonly Projection[]): Promise<void> {
    const interrupted: Projection[] = [];
    for (const projection of this.options.projections) {
      const { building } = await this.orders.of(projection.name);
      if (building !== null && !outdated.includes(projection)) interrupted.push(projection);
    }
    await Promise.all([
      ...outdated.map((projection) => this.keepTrying(projection, () => this.replaceOutdated(projection))),
      ...interrupted.map((projection) => this.keepTrying(projection, () => this.rebuild(projection.name))),
    ]);
  }

  /** Goes on now with a build that stands before a poison event. */
  async goOn(name: string): Promise<void> {
    const persistent = this.persistent.get(name);
    if (persistent !== undefined) return persistent.abort();
    if ((await this.orders.of(name)).building === null) return;
    void this.rebuild(name).catch((error: unknown) =>
      this.options.logger.error({ projection: name, err: error }, 'A model could not be built'),
    );
  }

  /**
   * Lets the version serve again that served before, once it has caught up.
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
   * Removes every version of a model that does not serve.
   *
   * @returns the stored versions that are gone
   * @throws UnknownProjectionError
   */
  drop(name: string): Promise<readonly number[]> {
    projectionNamed(name, this.options.projections);
    return this.withLock(name, async () => {
      const { serving, others } = await this.versions(name);
      // What is built for the first time is there for nobody to fall back from.
      const dropped = serving === null ? [] : await this.dropAll(name, others);
      await this.note(name, null);
      return dropped;
    });
  }

  /** Tells every builder to stop where it is. */
  async stop(end: (projector: RunningProjector) => Promise<void>): Promise<void> {
    await Promise.all([...this.running].map(end));
  }

  private async replaceOutdated(projection: Projection): Promise<void> {
    const { readStore } = this.options;
    await this.withLock(projection.name, async () => {
      const serving = await readStore.servingVersion(projection.name);
      // Operators may have had it rebuilt meanwhile.
      if (serving !== null && projectionVersion(serving) === projection.version) return;
      await this.buildAndSwitch(projection, await firstVersionToBuild(readStore, projection), {});
    });
  }

  private async keepTrying({ name }: Projection, task: () => Promise<unknown>): Promise<void> {
    const { stopping, logger } = this.options;
    const backoff = new Backoff({ first: 1_000, most: 60_000 });
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

  /** The version that served before: never one that a build has left unfinished. */
  private async earlierVersion({ name, version: known }: Projection): Promise<number | null> {
    const { serving, others } = await this.versions(name);
    // Beside what older code wrote, there is of this code only what is being built.
    if (serving === null || projectionVersion(serving) !== known) return null;
    const { building } = await this.orders.of(name);
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

  /** Answers those that are gone: one that another process has let serve meanwhile is not. */
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
    const { readStore, handOver, stopping } = this.options;
    const attempts = new Backoff({ first: 500, most: 4_000 });
    for (let asked = 0; asked < SWITCH_ATTEMPTS; asked += 1) {
      // Whoever was asked may have died, or failed to bring the version up to the present.
      await handOver(name, version);
      const deadline = performance.now() + attempts.next();
      while (performance.now() < deadline && !stopping.aborted) {
        if ((await readStore.servingVersion(name)) === version) return;
        await pause(SWITCH_POLL_MILLISECONDS, stopping);
      }
    }
    throw new BuildFailedError(`Version ${version} of ${name} was built, but does not serve`);
  }

  /** What a rebuild left unfinished, or the next generation. */
  private async versionToBuild(projection: Projection): Promise<number> {
    const { readStore } = this.options;
    const { serving } = await this.versions(projection.name);
    if (serving === null || projectionVersion(serving) !== projection.version)
      return firstVersionToBuild(readStore, projection);
    const { building } = await this.orders.of(projection.name);
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
    await this.orders.change(
      name,
      (orders) => ({ ...orders, building, stoppedBuild: null }),
      this.options.processName,
    );
  }

  private async noteStopped(name: string, stoppedBuild: StoppedBuild | null): Promise<void> {
    const known = await this.orders.of(name);
    if (stoppedBuild === null && known.stoppedBuild === null) return;
    await this.orders.change(name, (orders) => ({ ...orders, stoppedBuild }), this.options.processName);
  }

  private withLock<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(task, task);
    this.last.set(name, turn);
    return turn;
  }
}
