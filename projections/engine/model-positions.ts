import { setTimeout as delay } from 'node:timers/promises';
import { ModelPosition, type ModelStatus, type ServedProgress } from './model-position.js';
import type { ProjectionProgress } from './progress.js';
import type { Projection } from './projection.js';

/** A write whose readers shall find it. */
export interface AwaitedWrite {
  /** Position of its last event. */
  readonly position: number;
  /** The types of its events: models that handle none of them are not waited for. */
  readonly types: readonly string[];
  /** The longest wait; absent: {@link DEFAULT_WAIT}. */
  readonly milliseconds?: number;
}

/** How far the serving version of a model has come, as its stored checkpoint says. */
export type CheckpointReader = (projection: string) => Promise<number | null>;

/** How long a reply waits for the models that its caller would read next, in milliseconds. */
export const DEFAULT_WAIT = 2_000;

/** How often a checkpoint is looked up while somebody waits, and while all have given up. */
const POLL_MILLISECONDS = 15;
const OVERDUE_POLL_MILLISECONDS = 200;

/**
 * How far each model has come, as seen from the thread that answers requests. Models that are advanced in this process
 * report it; those that another process advances are looked up, but only while somebody waits for them or did so in vain:
 * a node that lags takes no writes, and must notice when it does not lag any more.
 */
export class ModelPositions {
  private readonly models: ReadonlyMap<string, ModelPosition>;
  private readonly byType = new Map<string, ModelPosition[]>();
  /** Those that only work in the background reads. */
  private readonly workModels: ReadonlySet<string>;
  /** Those that nobody waits for: see {@link Projection.isBeside}. */
  private readonly besideModels: ReadonlySet<string>;
  private polling = false;

  constructor(
    projections: readonly Projection[],
    private readonly checkpointOf: CheckpointReader,
  ) {
    this.models = new Map(projections.map(({ name }) => [name, new ModelPosition(name)]));
    this.workModels = new Set(projections.filter((one) => one.isForWork === true).map(({ name }) => name));
    this.besideModels = new Set(projections.filter((one) => one.isBeside === true).map(({ name }) => name));
    for (const { name, on } of projections) {
      if (this.besideModels.has(name)) continue;
      for (const type of Object.keys(on)) {
        const models = this.byType.get(type);
        if (models) models.push(this.models.get(name)!);
        else this.byType.set(type, [this.models.get(name)!]);
      }
    }
  }

  /** Takes note of what a runner in this process did. */
  report(progress: ProjectionProgress): void {
    this.models.get(progress.projection)?.report(progress);
  }

  /** Takes note of what requests read of a model. */
  reportServed(projection: string, served: ServedProgress): void {
    this.models.get(projection)?.reportServed(served);
  }

  /**
   * Waits until every model that handles any of the write's event types has passed its position. False when that took
   * too long, or when one of them stands still: the write is none the less in the log.
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

  /** Whether a model from which people would read such events stands before one that it cannot apply. */
  areHalted(types: readonly string[]): boolean {
    return this.handling(types).some((model) => model.isHalted && !this.workModels.has(model.name));
  }

  /** Whether all models that have yet to pass a write stand still: nobody knows until when. */
  areStill({ position, types }: Pick<AwaitedWrite, 'position' | 'types'>): boolean {
    const behind = this.handling(types).filter((model) => !model.barrier.hasPassed(position));
    return behind.every((model) => model.standsStill);
  }

  /**
   * Notes events that a model has yet to pass: until it has, this node lags by the age of the first of them.
   *
   * @param backlog the last position, and for how many milliseconds the first event has been in the log
   */
  expect(projection: string, { position, age }: { readonly position: number; readonly age: number }): void {
    this.models.get(projection)?.barrier.want(position, age);
    this.pollWhileAwaited();
  }

  /** The state of the models that others wait for. */
  awaited(): readonly ModelStatus[] {
    return this.status().filter(({ projection }) => !this.besideModels.has(projection));
  }

  /** The state of every model, for health checks and metrics. */
  status(): readonly ModelStatus[] {
    return [...this.models.values()].map((model) => model.status());
  }

  /**
   * How far the model that is furthest behind lags, in milliseconds. Models that stand still until somebody acts
   * (`halted`, `frozen`), and those beside, are left out, lest one of them take the whole node out of service; {@link status} has them.
   */
  lagMilliseconds(): number {
    const moving = [...this.models.values()].filter(
      (model) => !model.isStuck && !this.besideModels.has(model.name),
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
          // A store that cannot answer now leaves the waiter to its time limit.
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
