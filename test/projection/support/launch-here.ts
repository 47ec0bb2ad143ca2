import type { LaunchProjector } from '../../../projections/engine/projector-launch.js';
import type { ToProjector } from '../../../projections/engine/projector-protocol.js';
import { runTask, type ProjectorEnvironment } from '../../../projections/engine/run-task.js';

/** Runs projectors in the thread that asks, on stores that are open already. */
export function launchHere(environment: ProjectorEnvironment): LaunchProjector {
  return (task, listener) => {
    let receive: (message: ToProjector) => void = () => {};
    const channel = {
      send: listener,
      onMessage: (listen: typeof receive) => {
        receive = listen;
      },
    };
    const ended = runTask(task, environment, channel).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    const send = (message: ToProjector): void => receive(message);
    return {
      ended,
      send,
      kill: async () => {
        send({ kind: 'stop' });
        await ended;
      },
    };
  };
}
