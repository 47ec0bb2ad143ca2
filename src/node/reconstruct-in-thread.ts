import type { ReconstructViews, MessageViews, ViewsInput } from '../audit/past/view-reconstructions.js';
import type { Configuration } from '../config.js';
import { failure } from '../kernel/errors.js';
import { runThread } from './run-thread.js';

/** The input of the thread. */
export interface ReconstructionThreadData {
  readonly configuration: Configuration;
  readonly input: ViewsInput;
}

/** The thread's answer. */
export type ReconstructionThreadAnswer =
  | { readonly type: 'done'; readonly found: MessageViews | null }
  /** A store could not be reached. */
  | { readonly type: 'unavailable' };

/** The thread's heap contains the whole application and the read models that are being built. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Reconstructs the past in a separate thread, which opens its own stores and closes them when it ends. */
export function reconstructInThread(configuration: Configuration): ReconstructViews {
  return async (input, signal) => {
    const workerData: ReconstructionThreadData = { configuration, input };
    const told: ReconstructionThreadAnswer[] = [];
    const fault = await runThread<ReconstructionThreadAnswer>(
      { entry: new URL('./reconstruction-thread.js', import.meta.url), workerData, resourceLimits },
      { signal, onMessage: (answer) => void told.push(answer) },
    );
    const [answer] = told;
    if (answer?.type === 'done') return answer.found;
    if (answer?.type === 'unavailable') throw failure('unavailable');
    throw new Error('The thread that looked into the past ended without an answer', { cause: fault });
  };
}
