import type { Logger } from './logger.js';
import { openModelReporting, type StoredModel } from './open-model.js';
import { discardedIds, type OperatorSettings, type ProjectionSettings } from './operator-settings.js';
import { pause } from './pause.js';
import { buildUp } from './build-model.js';
import { isAboutStores, reasonOf } from './poison-event.js';
import type { ProgressListener, ProjectionState } from './progress.js';
import { ProjectionRunner, type EngineStores } from './projection-runner.js';
import type { Projection } from './projection.js';
import { firstVersionToBuild, projectionVersion } from './stored-version.js';
import { ModelRemovedError, type ModelStore } from '../../src/stores/read-store/port.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** Options of a {@link Projector}. */
interface ProjectorOptions {
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly logger: Logger;
  readonly listener: ProgressListener;
  readonly settings: OperatorSettings;
  /** Called when the first build of a model begins to serve. */
  readonly onCutOver?: (projection: string) => void;
  readonly timing?: EngineTiming;
}

/** Keeps the serving version of one model up to date, and follows cut-overs to other versions. */
export class Projector {
  private readonly timing: EngineTiming;
  private runner: ProjectionRunner | null = null;
  /** A version to cut over to. */
  private nextVersion: number | null = null;
  private resting = new AbortController();

  constructor(
    private readonly stores: EngineStores,
    private readonly projection: Projection,
    private readonly options: ProjectorOptions,
  ) {
    this.timing = options.timing ?? engineTiming;
  }

  /** Runs until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { name: projection, version } = this.projection;
    const { logger } = this.options;
    while (!signal.aborted) {
      try {
        if (this.nextVersion !== null) await this.performCutOver(this.nextVersion, signal);
        await this.serveUntilCutOver(signal);
      } catch (error) {
        const reason = reasonOf(error);
        if (isAboutStores(error)) logger.warn({ projection, reason }, 'A projection waits for its stores');
        else logger.error({ projection, reason, err: error }, 'A projection cannot be opened');
        this.report(version, 'unavailable', { reason });
        await this.rest(signal);
      }
    }
  }

  /** Looks up the serving version now instead of after the interval. */
  refresh(): void {
    this.resting.abort();
  }

  /**
   * Cuts over to a version that was built beside the serving one: that one stops, the new one catches up, and then it serves. Callers that
   * wait for a write wait for the new version, so nobody reads older data.
   */
  cutOver(version: number): void {
    this.nextVersion = version;
    this.resting.abort();
  }

  /** Retries a poison event now instead of after a delay. */
  retry(): void {
    this.runner?.retry();
  }

  private async serveUntilCutOver(signal: AbortSignal): Promise<void> {
    const { name, version: known } = this.projection;
    const serving = await this.stores.readStore.servingVersion(name);
    const settings = await this.options.settings.of(name);
    if (serving !== null && projectionVersion(serving) !== known) {
      // Nothing can advance a version made by older code, until a version of this code is built.
      const reason = `Version ${projectionVersion(serving)} serves as it stands; this program knows ${known}`;
      return this.standStill({ version: serving, settings }, { state: 'frozen', reason }, signal);
    }
    if (serving !== null && settings.isPaused) {
      const reason = 'An operator paused it';
      return this.standStill({ version: serving, settings }, { state: 'paused', reason }, signal);
    }
    const version = serving ?? (await firstVersionToBuild(this.stores.readStore, this.projection));
    const stored = await this.open(version);
    const { onCutOver: _, ...options } = this.options;
    const caughtUp = async (): Promise<void> => {
      if (await this.stores.readStore.switchVersion(name, null, version)) this.options.onCutOver?.(name);
    };
    this.runner = new ProjectionRunner(this.stores, stored, {
      ...options,
      ...(serving === null && { caughtUp }),
      discarded: discardedIds(settings),
      isPaused: async () => (await this.options.settings.of(name)).isPaused,
    });
    const switched = new AbortController();
    const removed = new AbortController();
    const running = this.runner.run(AbortSignal.any([signal, switched.signal])).then(() => removed.abort());
    await this.untilOtherThan(
      { version, settings, model: stored.model },
      AbortSignal.any([signal, removed.signal]),
    );
    switched.abort();
    await running;
    this.runner = null;
  }

  /** Opens a version, which may take long, and says so. */
  private open(version: number): Promise<StoredModel> {
    const { projection } = this;
    const { readStore } = this.stores;
    const { logger } = this.options;
    const onWait = (reason: string): void => this.report(version, 'unavailable', { reason });
    return openModelReporting({ readStore, logger, onWait }, projection, version);
  }

  /** Serves a version without advancing it. */
  private async standStill(
    { version, settings }: Omit<Served, 'model'>,
    { state, reason }: { readonly state: ProjectionState; readonly reason: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { model } = await this.open(version);
    const { position } = await model.checkpoint();
    this.report(version, state, { position, reason });
    await this.untilOtherThan({ version, settings, model }, signal);
  }

  private report(
    version: number,
    state: ProjectionState,
    { position = null, reason }: { readonly position?: number | null; readonly reason: string },
  ): void {
    const stoppage = { reason, event: null };
    this.options.listener({ projection: this.projection.name, version, position, state, stoppage });
  }

  /** Lets a version catch up and makes it serve. */
  private async performCutOver(version: number, signal: AbortSignal): Promise<void> {
    const { projection, stores } = this;
    const { name } = projection;
    const { processName, logger } = this.options;
    const from = await stores.readStore.servingVersion(name);
    this.nextVersion = null;
    if (from !== version) {
      try {
        await buildUp(stores, { projection, version }, { processName, logger, signal, timing: this.timing });
      } catch (error) {
        if (!(error instanceof ModelRemovedError)) throw error;
        // Another process dropped it: the serving version goes on.
        return logger.warn({ projection: name, reason: reasonOf(error) }, 'A built version is gone');
      }
      if (await stores.readStore.switchVersion(name, from, version)) {
        logger.info({ projection: name, version, from }, 'Another version serves');
        this.options.onCutOver?.(name);
      }
    }
  }

  /** Resolves when another version serves or is to serve, when the serving version is removed, or when operators change the settings. */
  private async untilOtherThan({ version, settings, model }: Served, signal: AbortSignal): Promise<void> {
    const { name } = this.projection;
    while (!signal.aborted) {
      await this.rest(signal);
      if (this.nextVersion !== null || model.isRemoved()) return;
      // An error is harmless: the next interval looks it up again.
      const serving = await this.stores.readStore.servingVersion(name).catch(() => version);
      if (serving !== null && serving !== version) return;
      const wanted = await this.options.settings.of(name).catch(() => settings);
      if (differ(settings, wanted)) return;
    }
  }

  private async rest(signal: AbortSignal): Promise<void> {
    await pause(untilNext(this.timing.versionMilliseconds), AbortSignal.any([signal, this.resting.signal]));
    if (this.resting.signal.aborted) this.resting = new AbortController();
  }
}

/**
 * Milliseconds until the next tick that all projectors share: what they look up in one turn of the event loop is a single request to
 * the store.
 */
function untilNext(interval: number): number {
  return interval - (performance.now() % interval);
}

/** The version that serves until something changes. */
interface Served {
  readonly version: number;
  readonly settings: ProjectionSettings;
  readonly model: ModelStore;
}

/** Whether the settings differ in what concerns this class: builds do not. */
function differ(one: ProjectionSettings, other: ProjectionSettings): boolean {
  const idsOf = ({ discarded }: ProjectionSettings): string => discarded.map(({ id }) => id).join();
  return one.isPaused !== other.isPaused || idsOf(one) !== idsOf(other);
}
