import type { ReadStore } from '../../src/stores/read-store/port.js';
import { Builders, BuildFailedError, type BuildersOptions, type BuildRequest } from './builders.js';
import { FormerVersions } from './former-versions.js';
import { buildRetryDelays, interruptedRebuilds } from './interrupted-rebuilds.js';
import type { Logger } from './logger.js';
import { projectionNamed } from './model-versions.js';
import { OperatorSettings } from './operator-settings.js';
import { Backoff, pause } from './pause.js';
import type { RunningProjector } from './projector-launch.js';
import type { RunningBuild } from './projector-protocol.js';
import type { Projection } from './projection.js';
import { firstVersionToBuild, nextVersionToBuild, projectionVersion } from './stored-version.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** What {@link ModelBuilds} needs. */
interface ModelBuildsOptions extends BuildersOptions {
  readonly projections: readonly Projection[];
  readonly readStore: ReadStore;
  readonly logger: Logger;
  /** Makes a caught-up version serve, in the process that keeps the model up to date. */
  readonly cutOver: (projection: string, version: number) => Promise<void>;
  /** Called after versions were dropped: every thread that has them open must close them. */
  readonly onDrop: () => void;
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
  private readonly builders: Builders;
  private readonly settings: OperatorSettings;
  private readonly former: FormerVersions;
  /** By projection: builds of one model run one after the other. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** By projection: ends the delay before a retry. */
  private readonly persistent = new Map<string, AbortController>();

  constructor(private readonly options: ModelBuildsOptions) {
    this.settings = new OperatorSettings(options.readStore);
    this.builders = new Builders(options, this.settings);
    this.former = new FormerVersions(options, this.settings);
  }

  /** The progress of the running builds. */
  progress(): readonly RunningBuild[] {
    return this.builders.progress();
  }

  /**
   * Builds a model from an empty version beside the serving one, or resumes an interrupted rebuild, and cuts over to it. The version that
   * served until then is kept, and older ones are dropped.
   *
   * @throws UnknownProjectionError, BuildFailedError
   */
  async rebuild(name: string, request: BuildRequest = {}): Promise<number> {
    const projection = projectionNamed(name, this.options.projections);
    return this.withLock(name, () => this.rebuildNow(projection, request));
  }

  /** Builds the models whose projection has a new version, with retries, and resumes interrupted rebuilds. */
  async keepBuilding(outdated: readonly Projection[]): Promise<void> {
    const replaced = outdated.map((projection) =>
      this.keepTrying(projection, () => this.replaceOutdated(projection)),
    );
    const others = this.options.projections.filter((projection) => !outdated.includes(projection));
    const resumed = (await interruptedRebuilds(others, this.settings, this.options)).map((projection) =>
      this.keepTrying(projection, () => this.resume(projection)),
    );
    await Promise.all([...replaced, ...resumed]);
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
      const earlier = await this.former.earlierVersion(projection);
      if (earlier === null) throw new NoEarlierVersionError(name);
      await this.makeServe(projection, earlier, {});
      return earlier;
    });
  }

  /**
   * Removes the versions of a model that would keep what was erased from the serving one. Does not wait for builds: one that is running goes
   * on, and one that was interrupted begins anew.
   *
   * @returns the removed stored versions
   * @throws UnknownProjectionError
   */
  async dropFormer(name: string): Promise<readonly number[]> {
    const projection = projectionNamed(name, this.options.projections);
    return this.former.dropAll(name, await this.former.of(projection));
  }

  /**
   * Removes all versions of a model that do not serve, and gives up an interrupted rebuild.
   *
   * @returns the removed stored versions
   * @throws UnknownProjectionError
   */
  drop(name: string): Promise<readonly number[]> {
    projectionNamed(name, this.options.projections);
    return this.withLock(name, async () => {
      const { serving, others } = await this.former.versions(name);
      // After a first build there is nothing to roll back to.
      const dropped = serving === null ? [] : await this.former.dropAll(name, others);
      await this.note(name, null);
      return dropped;
    });
  }

  /** Stops all builders; their builds can be resumed. */
  async stop(end: (projector: RunningProjector) => Promise<void>): Promise<void> {
    await this.builders.stop(end);
  }

  private async rebuildNow(projection: Projection, request: BuildRequest): Promise<number> {
    const version = await this.versionToBuild(projection);
    await this.note(projection.name, version);
    await this.buildAndSwitch(projection, version, request);
    await this.note(projection.name, null);
    return version;
  }

  private resume(projection: Projection): Promise<void> {
    return this.withLock(projection.name, async () => {
      // An operator may have had it rebuilt in the meantime.
      if ((await this.settings.of(projection.name)).building !== null) await this.rebuildNow(projection, {});
    });
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
    const backoff = new Backoff(buildRetryDelays);
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

  private async buildAndSwitch(
    projection: Projection,
    version: number,
    request: BuildRequest,
  ): Promise<void> {
    const { name } = projection;
    const { serving, others } = await this.former.versions(name);
    if (serving === version) return;
    await this.makeServe(projection, version, request);
    const former = others.filter((other) => other !== version);
    await this.former.dropAll(name, former);
  }

  /** Builds a version up to the present, and cuts over to it. */
  private makeServe(projection: Projection, version: number, request: BuildRequest): Promise<void> {
    const { name } = projection;
    return this.former.building(name, version, async () => {
      await this.builders.build(projection, version, request);
      await this.switchTo(name, version);
    });
  }

  private async switchTo(name: string, version: number): Promise<void> {
    const { readStore, cutOver, stopping } = this.options;
    const attempts = new Backoff({ first: 500, max: 4_000 });
    for (let asked = 0; asked < SWITCH_ATTEMPTS; asked += 1) {
      // The process that received the request may have died, or failed to let the version catch up.
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
    const { serving } = await this.former.versions(projection.name);
    if (serving === null || projectionVersion(serving) !== projection.version)
      return firstVersionToBuild(readStore, projection);
    const { building } = await this.settings.of(projection.name);
    return nextVersionToBuild(readStore, projection, building);
  }

  private async note(name: string, building: number | null): Promise<void> {
    await this.settings.change(
      name,
      (settings) => ({ ...settings, building, stoppedBuild: null }),
      this.options.processName,
    );
  }

  private async withLock<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(task, task);
    this.last.set(name, turn);
    try {
      return await turn;
    } finally {
      await this.former.scrubAfterBuild(name);
    }
  }
}
