import { endingController } from '../../src/runtime/ending.js';
import { buildUp } from './build-model.js';
import type { Logger } from './logger.js';
import { projectionNamed } from './model-versions.js';
import { OperatorSettings } from './operator-settings.js';
import { PoisonEventError, reasonOf } from './poison-event.js';
import type { ProjectionProgress } from './progress.js';
import type { Projection } from './projection.js';
import type { EngineStores } from './projection-runner.js';
import { Projector } from './projector.js';
import type { BuildProgress, ProjectorChannel, ProjectorTask } from './projector-protocol.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** Sends the latest progress of each model once per turn of the event loop, because many models pass the same event at once. */
class ProgressOutbox {
  private readonly latest = new Map<string, ProjectionProgress>();

  constructor(private readonly send: (progress: readonly ProjectionProgress[]) => void) {}

  readonly report = (progress: ProjectionProgress): void => {
    if (this.latest.size === 0) setImmediate(() => this.flush());
    this.latest.set(progress.projection, progress);
  };

  flush(): void {
    if (this.latest.size === 0) return;
    const progress = [...this.latest.values()];
    this.latest.clear();
    this.send(progress);
  }
}

/** The stores and options of a projector. */
export interface ProjectorEnvironment {
  readonly stores: EngineStores;
  readonly projections: readonly Projection[];
  /** Names this process in leases: see {@link HeldLease}. */
  readonly processName: string;
  readonly timing?: EngineTiming;
}

/** Runs a projector's task until it is finished or a `stop` message arrives. */
export async function runTask(
  task: ProjectorTask,
  environment: ProjectorEnvironment,
  channel: ProjectorChannel,
): Promise<void> {
  switch (task.kind) {
    case 'serve':
      return serve(environment, channel);
    case 'build':
      return build(task, environment, channel);
  }
}

async function serve(environment: ProjectorEnvironment, channel: ProjectorChannel): Promise<void> {
  const { stores, projections, processName, timing = engineTiming } = environment;
  const ending = endingController();
  const outbox = new ProgressOutbox((progress) => channel.send({ kind: 'progress', progress }));
  const options = {
    processName,
    timing,
    logger: loggerOver(channel),
    listener: outbox.report,
    settings: new OperatorSettings(stores.readStore),
    onCutOver: (projection: string) => channel.send({ kind: 'cut-over', projection }),
  };
  const projectors = new Map(projections.map((one) => [one.name, new Projector(stores, one, options)]));
  channel.onMessage((message) => {
    switch (message.kind) {
      case 'stop':
        return ending.abort();
      case 'cut-over':
        return projectors.get(message.projection)?.cutOver(message.version);
      case 'refresh':
        return projectors.get(message.projection)?.refresh();
      case 'release-dropped':
        // An error is harmless: other followers look for dropped versions about once a second.
        return void stores.readStore.releaseDropped().catch(() => {});
      case 'retry':
        return projectors.get(message.projection)?.retry();
    }
  });
  await Promise.all([...projectors.values()].map((projector) => projector.run(ending.signal)));
  outbox.flush();
}

async function build(
  { projection: name, version, eventsPerSecond }: Extract<ProjectorTask, { kind: 'build' }>,
  { stores, projections, processName, timing = engineTiming }: ProjectorEnvironment,
  channel: ProjectorChannel,
): Promise<void> {
  const ending = new AbortController();
  channel.onMessage(({ kind }) => {
    if (kind === 'stop') ending.abort();
  });
  const options = {
    // So that builds do not share leases with the thread that serves.
    processName: `${processName}:build`,
    logger: loggerOver(channel),
    signal: ending.signal,
    timing,
    eventsPerSecond,
    onProgress: (progress: BuildProgress) => channel.send({ kind: 'build-progress', progress }),
  };
  try {
    const { position } = await buildUp(
      stores,
      { projection: projectionNamed(name, projections), version },
      options,
    );
    options.logger.info({ projection: name, version, position }, 'A model was built');
  } catch (error) {
    if (ending.signal.aborted) return;
    const event = error instanceof PoisonEventError ? error.event : null;
    channel.send({ kind: 'build-failed', projection: name, reason: reasonOf(error), event });
  }
}

function loggerOver(channel: ProjectorChannel): Logger {
  const log =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      channel.send({ kind: 'log', level, fields, message });
  return { info: log('info'), warn: log('warn'), error: log('error') };
}
