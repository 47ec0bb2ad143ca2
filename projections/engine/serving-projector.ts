import type { Logger } from './logger.js';
import type { ModelPositions } from './model-positions.js';
import { Backoff, pause } from './pause.js';
import type { Projection } from './projection.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { FromProjector, ToProjector } from './projector-protocol.js';

/** What {@link ServingProjector} needs. */
export interface ServingProjectorOptions {
  readonly launch: LaunchProjector;
  readonly projections: readonly Projection[];
  readonly positions: ModelPositions;
  readonly logger: Logger;
  /** Called when a model has advanced, before waiting callers are resumed. */
  readonly onProgress?: (projection: string) => void;
  /** Called when another version of a model serves: queries must look it up again. */
  readonly onCutOver?: (projection: string) => void;
}

/** The projector thread dies whenever it is started. */
export class ProjectorDiedError extends Error {
  override readonly name = 'ProjectorDiedError';
}

const restartDelays = { first: 100, max: 10_000 };
const STEADY_MILLISECONDS = 30_000;
/** How often the projector may die before a start fails. */
const DEATHS_AT_START = 3;
const STOP_MILLISECONDS = 10_000;

/** The thread that keeps the serving models up to date; it is started again when it dies. */
export class ServingProjector {
  private running: RunningProjector | null = null;
  private served: Promise<void> = Promise.resolve();
  private deaths = 0;
  private lastDeath: Error | null = null;

  /** @param stopping aborted when the process stops */
  constructor(
    private readonly options: ServingProjectorOptions,
    private readonly stopping: AbortSignal,
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  start(): void {
    this.served = this.keepServing();
  }

  /** Sends a message to the thread, if it runs. */
  send(message: ToProjector): void {
    this.running?.send(message);
  }

  /** @throws ProjectorDiedError when the thread died too often to go on starting it */
  assertAlive(): void {
    if (this.deaths >= DEATHS_AT_START)
      throw new ProjectorDiedError('The projections cannot be started', { cause: this.lastDeath });
  }

  /** Handles a message of the projector, or of one that builds. */
  receive(message: FromProjector): void {
    const { positions, logger, onProgress, onCutOver } = this.options;
    switch (message.kind) {
      case 'progress':
        for (const progress of message.progress) {
          onProgress?.(progress.projection);
          positions.report(progress);
        }
        return;
      case 'cut-over':
        onCutOver?.(message.projection);
        return this.send({ kind: 'refresh', projection: message.projection });
      case 'log':
        return logger[message.level](message.fields, message.message);
      case 'build-progress':
      case 'build-failed':
    }
  }

  /** Ends the thread; the signal must be aborted before. */
  async stop(): Promise<void> {
    if (this.running !== null) await stopWithin(this.running);
    await this.served;
  }

  private async keepServing(): Promise<void> {
    const { launch, logger, positions, projections } = this.options;
    const signal = this.stopping;
    const backoff = new Backoff(restartDelays);
    while (!signal.aborted) {
      const started = performance.now();
      this.running = launch({ kind: 'serve' }, (message) => this.receive(message));
      const error = await this.running.ended;
      this.running = null;
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
}

/** Ends a thread: asks it to, and kills it if it takes too long. */
export async function stopWithin(projector: RunningProjector): Promise<void> {
  projector.send({ kind: 'stop' });
  const timer = setTimeout(() => void projector.kill(), STOP_MILLISECONDS);
  await projector.ended;
  clearTimeout(timer);
}
