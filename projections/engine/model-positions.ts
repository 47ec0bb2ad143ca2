import { setTimeout as delay } from 'node:timers/promises';
import { ModelPosition, type ModelStatus, type ServedProgress } from './model-position.js';
import type { ProjectionProgress } from './progress.js';
import type { Projection } from './projection.js';
import { ModelBehindError, REACTOR_WAIT } from './reactor.js';

/** A write that a caller will look for in the read models. */
interface AwaitedWrite {
  /** Position of its last event. */
  readonly position: number;
  /** The types of its events: only models with handlers for them are waited for. */
  readonly types: readonly string[];
  /** The timeout; absent: {@link DEFAULT_WAIT}. */
  readonly milliseconds?: number;
}

/** Reads the stored checkpoint of the serving version of a model. */
type CheckpointReader = (projection: string) => Promise<number | null>;

/** How long a reply waits for read models, in milliseconds. */
const DEFAULT_WAIT = 2_000;

/** Interval at which a checkpoint is read while somebody waits, and after everybody has given up. */
const POLL_MILLISECONDS = 15;
const OVERDUE_POLL_MILLISECONDS = 200;

/**
 * The progress of each model, as the request thread knows it. Models of this process report it. The checkpoints of other models are read
 * only while somebody waits for them or has waited in vain: a lagging node refuses writes, and must notice when it no longer lags.
 */
export class ModelPositions {
  private readonly models: ReadonlyMap<string, ModelPosition>;
  private readonly byType = new Map<string, ModelPosition[]>();
  /** Models that only background work reads. */
  private readonly workModels: ReadonlySet<string>;
  /** Models that nobody waits for: see {@link Projection.isBackground}. */
  private readonly backgroundModels: ReadonlySet<string>;
  private polling = false;

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    projections: readonly Projection[],
    private readonly checkpointOf: CheckpointReader,
    now?: () => number,
  ) {
    this.models = new Map(projections.map(({ name }) => [name, new ModelPosition(name, now)]));
    this.workModels = new Set(
      projections.filter((one) => one.isForBackgroundWork === true).map(({ name }) => name),
    );
    this.backgroundModels = new Set(
      projections.filter((one) => one.isBackground === true).map(({ name }) => name),
    );
    for (const { name, on } of projections) {
      if (this.backgroundModels.has(name)) continue;
      for (const type of Object.keys(on)) {
        const models = this.byType.get(type);
        if (models) models.push(this.models.get(name)!);
        else this.byType.set(type, [this.models.get(name)!]);
      }
    }
  }

  /** Takes the progress of a runner in this process. */
  report(progress: ProjectionProgress): void {
    this.models.get(progress.projection)?.report(progress);
  }

  /** Takes the progress of the version that requests read. */
  reportServed(projection: string, served: ServedProgress): void {
    this.models.get(projection)?.reportServed(served);
  }

  /**
   * Waits until every model with handlers for the write's event types has passed its position. False: the timeout expired, or one of them
   * does not advance. The write is in the log in any case.
   */
  async waitUntil({ position, types, milliseconds = DEFAULT_WAIT }: AwaitedWrite): Promise<boolean> {
    const behind = this.handling(types).filter((model) => !model.barrier.hasPassed(position));
    if (behind.length === 0) return true;
    const moving = behind.filter((model) => !model.isStuck);
    const waits = moving.map((model) => model.barrier.waitFor(position, milliseconds));
    this.pollWhileAwaited();
    await Promise.all(waits);
    return behind.every((model) => model.barrier.hasPassed(position));
  }

  /**
   * Waits until every model with handlers for an event includes it.
   *
   * @throws ModelBehindError on timeout; the engine then calls the reactor again
   */
  async waitForEvent({
    position,
    type,
  }: {
    readonly position: number;
    readonly type: string;
  }): Promise<void> {
    if (await this.waitUntil({ position, types: [type], milliseconds: REACTOR_WAIT })) return;
    throw new ModelBehindError('A read model');
  }

  /** Whether a model that handles such events and that requests read has stopped at a poison event. */
  areHalted(types: readonly string[]): boolean {
    return this.handling(types).some((model) => model.isHalted && !this.workModels.has(model.name));
  }

  /** Whether all models that have not yet passed a write do not advance for an unknown time. */
  areAllStopped({ position, types }: Pick<AwaitedWrite, 'position' | 'types'>): boolean {
    const behind = this.handling(types).filter((model) => !model.barrier.hasPassed(position));
    return behind.every((model) => model.isStopped);
  }

  /**
   * Records events that a model has yet to apply. Until then, this node lags by the age of the first one.
   *
   * @param backlog the last position, and since how many milliseconds the first event has been in the log
   */
  expect(projection: string, { position, age }: { readonly position: number; readonly age: number }): void {
    this.models.get(projection)?.barrier.want(position, age);
    this.pollWhileAwaited();
  }

  /** The status of the models that somebody waits for. */
  awaited(): readonly ModelStatus[] {
    return this.status().filter(({ projection }) => !this.backgroundModels.has(projection));
  }

  /** The status of every model, for health checks and metrics. */
  status(): readonly ModelStatus[] {
    return [...this.models.values()].map((model) => model.status());
  }

  /**
   * The lag of the model that is furthest behind, in milliseconds. Models that do not advance until somebody acts
   * (`halted`, `frozen`, `paused`), and those that nobody waits for, are left out, so that one of them does not take
   * the whole node out of service; {@link status} includes them.
   */
  lagMilliseconds(): number {
    const moving = [...this.models.values()].filter(
      (model) => !model.isStuck && !this.backgroundModels.has(model.name),
    );
    return Math.max(0, ...moving.map((model) => model.lagMilliseconds));
  }

  private handling(types: readonly string[]): readonly ModelPosition[] {
    if (types.length === 1) return this.byType.get(types[0]!) ?? [];
    return [...new Set(types.flatMap((type) => this.byType.get(type) ?? []))];
  }

  private pollWhileAwaited(): void {
    if (this.polling || this.lookedUp().length === 0) return;
    this.polling = true;
    void this.poll();
  }

  private async poll(): Promise<void> {
    for (let models = this.lookedUp(); models.length > 0; models = this.lookedUp()) {
      await Promise.all(
        models.map(async (model) => {
          // If the store cannot answer, the timeout of the waiting request applies.
          const position = await this.checkpointOf(model.name).catch(() => null);
          if (position !== null) model.barrier.advance(position);
        }),
      );
      const ref = models.some((model) => model.barrier.awaited);
      await delay(ref ? POLL_MILLISECONDS : OVERDUE_POLL_MILLISECONDS, undefined, { ref });
    }
    this.polling = false;
  }

  private lookedUp(): readonly ModelPosition[] {
    return [...this.models.values()].filter((model) => model.isAdvancedElsewhere && model.barrier.wanted);
  }
}
