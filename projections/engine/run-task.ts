import type { Logger } from './logger.js';
import { projectionNamed } from './model-versions.js';
import { reasonOf } from './poison-event.js';
import { ProgressOutbox } from './progress-outbox.js';
import type { EngineStores } from './projection-runner.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';
import type { ProjectorChannel, ProjectorTask } from './projector-protocol.js';
import { replaceModel } from './rebuild-model.js';
import { engineTiming, type EngineTiming } from './timing.js';

/** What a projector runs on. */
export interface ProjectorEnvironment {
  readonly stores: EngineStores;
  readonly projections: readonly Projection[];
  /** Names this process to the others: see {@link HeldLease}. */
  readonly holder: string;
  readonly timing?: EngineTiming;
}

/** Does a projector's task until it is done or `stop` is told. */
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
  const { stores, projections, holder, timing = engineTiming } = environment;
  const ending = new AbortController();
  const outbox = new ProgressOutbox((progress) => channel.send({ kind: 'progress', progress }));
  const options = {
    holder,
    timing,
    logger: loggerOver(channel),
    listener: outbox.report,
    onSwitch: (projection: string) => channel.send({ kind: 'switched', projection }),
  };
  const projectors = new Map(projections.map((one) => [one.name, new Projector(stores, one, options)]));
  channel.onMessage((message) => {
    if (message.kind === 'stop') ending.abort();
    else projectors.get(message.projection)?.[message.kind]();
  });
  await Promise.all([...projectors.values()].map((projector) => projector.run(ending.signal)));
  outbox.flush();
}

async function build(
  { projections: names, again }: Extract<ProjectorTask, { kind: 'build' }>,
  { stores, projections, holder, timing = engineTiming }: ProjectorEnvironment,
  channel: ProjectorChannel,
): Promise<void> {
  const ending = new AbortController();
  channel.onMessage(({ kind }) => {
    if (kind === 'stop') ending.abort();
  });
  // Its leases are not those of the thread that serves.
  const options = { holder: `${holder}:build`, logger: loggerOver(channel), signal: ending.signal, timing };
  for (const name of names) {
    if (ending.signal.aborted) return;
    try {
      await replaceModel(stores, { projection: projectionNamed(name, projections), again }, options);
      channel.send({ kind: 'switched', projection: name });
    } catch (error) {
      if (!ending.signal.aborted) {
        channel.send({ kind: 'build-failed', projection: name, reason: reasonOf(error) });
      }
    }
  }
}

function loggerOver(channel: ProjectorChannel): Logger {
  const log =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      channel.send({ kind: 'log', level, fields, message });
  return { info: log('info'), warn: log('warn'), error: log('error') };
}
