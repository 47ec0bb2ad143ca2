import type { OperatorSettings, StoppedBuild } from './operator-settings.js';
import type { LaunchProjector, RunningProjector } from './projector-launch.js';
import type { BuildProgress, FromProjector, RunningBuild } from './projector-protocol.js';
import type { Projection } from './projection.js';
import { OperatorError } from '../../src/kernel/errors.js';

/** What {@link Builders} need. */
export interface BuildersOptions {
  readonly launch: LaunchProjector;
  /** Names this process in leases. */
  readonly processName: string;
  /** Called with the messages of builders, except for their progress. */
  readonly receive: (message: FromProjector) => void;
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

/** The threads that build versions of models, one for each version. */
export class Builders {
  private readonly running = new Set<RunningProjector>();
  private readonly latest = new Map<string, RunningBuild>();

  constructor(
    private readonly options: BuildersOptions,
    private readonly settings: OperatorSettings,
  ) {}

  /** The progress of the running builds. */
  progress(): readonly RunningBuild[] {
    return [...this.latest.values()];
  }

  /**
   * Builds a version of a model; resolves when it has caught up with the log.
   *
   * @throws BuildFailedError
   */
  async build({ name: projection }: Projection, version: number, request: BuildRequest): Promise<void> {
    const failures: string[] = [];
    let stopped: StoppedBuild | null = null;
    const { eventsPerSecond = null, onProgress } = request;
    const task = { kind: 'build', projection, version, eventsPerSecond } as const;
    const startedAt = Date.now();
    this.latest.set(projection, { projection, version, position: null, events: 0, from: null, startedAt });
    const builder = this.options.launch(task, (message) => {
      if (message.kind === 'build-failed') {
        const { event, reason } = message;
        failures.push(`${projection}: ${reason}`);
        stopped = event && { event, reason };
      }
      if (message.kind !== 'build-progress') return this.options.receive(message);
      this.latest.set(projection, { ...message.progress, startedAt });
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

  /** Stops all builders; their builds can be resumed. */
  async stop(end: (projector: RunningProjector) => Promise<void>): Promise<void> {
    await Promise.all([...this.running].map(end));
  }

  private async noteStopped(name: string, stoppedBuild: StoppedBuild | null): Promise<void> {
    const known = await this.settings.of(name);
    if (stoppedBuild === null && known.stoppedBuild === null) return;
    await this.settings.change(name, (settings) => ({ ...settings, stoppedBuild }), this.options.processName);
  }
}
