import { Worker } from 'node:worker_threads';
import type { LookIntoPast, MessageViews, ViewsInput } from '../audit/past/past-looks.js';
import type { Configuration } from '../config.js';
import { failure } from '../kernel/errors.js';

/** What the thread is started with. */
export interface LookThreadData {
  readonly configuration: Configuration;
  readonly input: ViewsInput;
}

/** What it answers. */
export type LookThreadAnswer =
  | { readonly type: 'done'; readonly found: MessageViews | null }
  /** A store could not be reached. */
  | { readonly type: 'unavailable' };

/** What it is told when nobody waits any more; it ends by itself: one that is ended in a statement takes the process with it. */
export const STOP = 'stop';

/** The whole application and the read models that are being built are in it. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Builds the past in a thread of its own, with stores of its own, which it closes when it ends. */
export function lookInThread(configuration: Configuration): LookIntoPast {
  return (input, signal) =>
    new Promise((resolve, reject) => {
      const workerData: LookThreadData = { configuration, input };
      const thread = new Worker(new URL('./look-thread.js', import.meta.url), { workerData, resourceLimits });
      const stop = (): void => thread.postMessage(STOP);
      let answer: LookThreadAnswer | null = null;
      let fault: unknown = null;
      thread.once('message', (message: LookThreadAnswer) => (answer = message));
      thread.once('error', (error) => (fault = error));
      // Only then its stores are closed.
      thread.once('exit', () => {
        signal.removeEventListener('abort', stop);
        if (answer?.type === 'done') resolve(answer.found);
        else if (answer?.type === 'unavailable') reject(failure('unavailable'));
        else
          reject(new Error('The thread that looked into the past ended without an answer', { cause: fault }));
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
}
