import { Worker } from 'node:worker_threads';
import type { FromProjector, ProjectorTask, ToProjector } from './projector-protocol.js';
import type { ProjectorEnvironment } from './run-task.js';

/** A projector at work, as its host sees it. */
export interface RunningProjector {
  send(message: ToProjector): void;
  /** Resolves when it has ended, with an error when it died. */
  readonly ended: Promise<Error | null>;
  /** Ends it where it stands. */
  kill(): Promise<void>;
}

/** Starts a projector on a task. */
export type LaunchProjector = (
  task: ProjectorTask,
  listener: (message: FromProjector) => void,
) => RunningProjector;

/**
 * What a projector thread needs to make its {@link ProjectorEnvironment}: a module that exports
 * `openProjectorEnvironment(configuration): Promise<OpenEnvironment>`, and the plain value that it is called with.
 */
export interface ThreadComposition {
  /** URL of the module. */
  readonly module: string;
  /** Can be cloned to the thread. */
  readonly configuration: unknown;
}

/** An environment that its thread closes in the end. */
export interface OpenEnvironment extends ProjectorEnvironment {
  close(): Promise<void>;
}

/** What the module of a {@link ThreadComposition} exports. */
export interface CompositionModule {
  readonly openProjectorEnvironment: (configuration: unknown) => Promise<OpenEnvironment>;
}

/** What a projector thread is started with. */
export interface ThreadData extends ThreadComposition {
  readonly task: ProjectorTask;
}

/**
 * A projector needs little memory for long, but V8 gives each thread room to leave its garbage lying for a while: unbounded,
 * that would be a good part of what the whole server takes.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** Runs projectors in threads of their own, off the one that answers requests. */
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
