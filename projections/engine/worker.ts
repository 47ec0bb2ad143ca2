import { parentPort, workerData } from 'node:worker_threads';
import type { CompositionModule, ThreadData } from './projector-launch.js';
import type { ToProjector } from './projector-protocol.js';
import { runTask } from './run-task.js';

/** The thread's entry point: opens its own stores, runs its task and ends. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const { module, configuration, task } = workerData as ThreadData;
  const early: ToProjector[] = [];
  const keep = (message: ToProjector): void => void early.push(message);
  port.on('message', keep);
  const { openProjectorEnvironment } = (await import(module)) as CompositionModule;
  const environment = await openProjectorEnvironment(configuration);
  try {
    await runTask(task, environment, {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => {
        port.off('message', keep);
        port.on('message', listener);
        early.forEach(listener);
      },
    });
  } finally {
    await environment.close();
    port.close();
  }
}

if (parentPort === null) throw new Error('This module runs in a worker thread');
await main(parentPort);
