import { Worker } from 'node:worker_threads';
import type { FromProjector, ProjectorTask, ToProjector } from './projector-protocol.js';
import type { ProjectorEnvironment } from './run-task.js';

/** A running projector, as its host sees it. */
export interface RunningProjector {
  send(message: ToProjector): void;
  /** Resolves when it has ended, with an error if it died. */
  readonly ended: Promise<Error | null>;
  /** Terminates it immediately. */
  kill(): Promise<void>;
}

/** Starts a projector with a task. */
export type LaunchProjector = (
  task: ProjectorTask,
  listener: (message: FromProjector) => void,
) => RunningProjector;

/**
 * How a projector thread creates its {@link ProjectorEnvironment}: a module that exports
 * `openProjectorEnvironment(configuration): Promise<OpenEnvironment>`, and the argument for it.
 */
interface ThreadComposition {
  /** URL of the module. */
  readonly module: string;
  /** Must be structured-cloneable. */
  readonly configuration: unknown;
}

/** An environment that its thread closes at the end. */
export interface OpenEnvironment extends ProjectorEnvironment {
  close(): Promise<void>;
}

/** The exports of the module of a {@link ThreadComposition}. */
export interface CompositionModule {
  readonly openProjectorEnvironment: (configuration: unknown) => Promise<OpenEnvironment>;
}

/** The `workerData` of a projector thread. */
export interface ThreadData extends ThreadComposition {
  readonly task: ProjectorTask;
}

/** Limits the garbage that V8 collects lazily in each thread: unlimited, it would be a good part of the server's memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** Runs projectors in threads of their own, beside the request thread. */
export function launchInThread(
  composition: ThreadComposition,
  options: { readonly entry?: URL; readonly execArgv?: readonly string[] } = {},
): LaunchProjector {
  const { entry = new URL('./worker.js', import.meta.url), execArgv } = options;
  return (task, listener) => {
    const workerData: ThreadData = { ...composition, task };
    const worker = new Worker(entry, {
      workerData,
      resourceLimits,
      ...(execArgv && { execArgv: [...execArgv] }),
    });
    let failure: Error | null = null;
    worker.on('message', listener);
    worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    const ended = new Promise<Error | null>((resolve) => {
      worker.once('exit', (code) => {
        resolve(failure ?? (code === 0 ? null : new Error(`The projector thread ended with code ${code}`)));
      });
    });
    return {
      ended,
      send: (message) => worker.postMessage(message),
      kill: async () => {
        await worker.terminate();
      },
    };
  };
}
