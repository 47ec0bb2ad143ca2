import { randomUUID } from 'node:crypto';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import type { Logger } from './logger.js';
import type { OperatorSettings } from './operator-settings.js';
import { Backoff, pause } from './pause.js';
import { reasonOf } from './poison-event.js';
import { modelLease } from './projection-runner.js';
import type { Projection } from './projection.js';
import { projectionVersion } from './stored-version.js';

/** What {@link FormerVersions} needs. */
interface FormerVersionsOptions {
  readonly readStore: ReadStore;
  readonly logger: Logger;
  /** Names this process in leases. */
  readonly processName: string;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** Called after versions were dropped: every thread that has them open must close them. */
  readonly onDrop: () => void;
}

/** In milliseconds: how long a build cannot begin while it is found out whether one is running. */
const LEASE = 1_000;

const SCRUBS = 8;
const scrubDelays = { first: 100, max: 5_000 };

/** The versions of models that do not serve. They may hold what was erased from the serving version. */
export class FormerVersions {
  /** By projection: the version that this process is building, or bringing up to the present. */
  private readonly underWay = new Map<string, number>();
  /** Projections of these from which something was erased meanwhile. */
  private readonly erasedMeanwhile = new Set<string>();
  /** Projections with a built version that may have deleted what an erasure no longer overwrites. */
  private readonly toScrub = new Set<string>();

  constructor(
    private readonly options: FormerVersionsOptions,
    private readonly settings: Pick<OperatorSettings, 'of'>,
  ) {}

  /** The version of a model that serves, and all others. */
  async versions(
    name: string,
  ): Promise<{ readonly serving: number | null; readonly others: readonly number[] }> {
    const serving = await this.options.readStore.servingVersion(name);
    const stored = await this.options.readStore.modelVersions(name);
    return { serving, others: stored.filter((version) => version !== serving) };
  }

  /** The version that served before; never an unfinished build. */
  async earlierVersion({ name, version: known }: Projection): Promise<number | null> {
    const { serving, others } = await this.versions(name);
    // No version of this code serves: if one is stored, it is still being built.
    if (serving === null || projectionVersion(serving) !== known) return null;
    const { building } = await this.settings.of(name);
    const complete = others.filter((one) => projectionVersion(one) === known && one !== building);
    return complete.at(-1) ?? null;
  }

  /** Returns the versions that were removed: one that another process has made serve meanwhile stays. */
  async dropAll(name: string, versions: readonly number[]): Promise<readonly number[]> {
    const { readStore, onDrop } = this.options;
    const dropped: number[] = [];
    for (const version of versions) if (await readStore.dropModel(name, version)) dropped.push(version);
    if (dropped.length > 0) onDrop();
    return dropped;
  }

  /**
   * Keeps a version from being taken for a former one while a task builds it. If the task fails before it has applied the deletions of an
   * erasure, the version is dropped.
   */
  async building(name: string, version: number, task: () => Promise<void>): Promise<void> {
    this.underWay.set(name, version);
    try {
      // An erasure may have ended before this process continued the build of a version.
      const isContinued = (await this.options.readStore.modelVersions(name)).includes(version);
      await task();
      // Only stores without atomic batches have journals that other processes erase from, too: this one is not notified of that.
      if (isContinued || !this.options.readStore.atomicBatches) this.toScrub.add(name);
    } catch (error) {
      // A process that stops resumes the build at the next start.
      if (this.erasedMeanwhile.has(name) && !this.options.stopping.aborted)
        await this.dropAll(name, [version]);
      throw error;
    } finally {
      this.underWay.delete(name);
      this.erasedMeanwhile.delete(name);
    }
  }

  /**
   * The versions that would keep what was deleted: those that served before, and what interrupted builds left. A version that is being built
   * is not among them: it applies the same deletions before it serves.
   */
  async of(projection: Projection): Promise<readonly number[]> {
    const { name } = projection;
    if (this.underWay.has(name)) this.toScrub.add(name);
    const { serving, others } = await this.versions(name);
    // A first build applies all deletions itself.
    if (serving === null) return [];
    if (this.underWay.has(name)) this.erasedMeanwhile.add(name);
    const former: number[] = [];
    for (const version of others) {
      if (this.underWay.get(name) === version) continue;
      const isUnfinished = await this.isUnfinished(projection, { version, serving });
      if (!isUnfinished || !(await this.isBeingBuilt(name, version))) former.push(version);
    }
    return former;
  }

  /**
   * Overwrites what is left of deletions in the journals of models, to be called after a build: if something may have been erased meanwhile,
   * the erasure may have ended before the build applied the deletion. Never rejects.
   */
  async scrubAfterBuild(name: string): Promise<void> {
    if (!this.toScrub.delete(name)) return;
    const { readStore, logger, stopping } = this.options;
    const backoff = new Backoff(scrubDelays);
    for (let left = SCRUBS; left > 0 && !stopping.aborted; left -= 1) {
      try {
        return await readStore.scrub();
      } catch (error) {
        logger.warn({ reason: reasonOf(error) }, 'What a build deleted is not overwritten yet');
        await pause(backoff.next(), stopping);
      }
    }
  }

  /** Whether a version was never completed, as far as is known: a rebuild of an operator, or the first build of a newer program. */
  private async isUnfinished(
    { name, version: known }: Projection,
    { version, serving }: { readonly version: number; readonly serving: number },
  ): Promise<boolean> {
    if (projectionVersion(version) === known && projectionVersion(serving) !== known) return true;
    return (await this.settings.of(name)).building === version;
  }

  /** Whether this process or another is building a version: then it has its lease. */
  private async isBeingBuilt(name: string, version: number): Promise<boolean> {
    const { readStore, processName } = this.options;
    const lease = modelLease(name, version);
    const owner = `${processName}:erasure:${randomUUID()}`;
    if ((await readStore.acquireLease(lease, owner, LEASE)) === null) return true;
    await readStore.releaseLease(lease, owner);
    return this.underWay.get(name) === version;
  }
}
